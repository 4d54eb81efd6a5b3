/** Join the dots, as the generic pages know it. */
import { DotsBoard } from "./board.js";
import { layOut } from "./draft.js";
import { mountExample, mountMiniature } from "./example.js";
import { defaults, describe, faults, fields, isOwn, received, sent } from "./setup.js";
import { analysisText, moveText } from "./words.js";

/** @type {import("../types.js").GameView} */
export const view = {
  createBoard: () => new DotsBoard(),
  needsDrawingData: true,
  layOut: (rules) => (isOwn(rules) ? layOut(/** @type {[number, number][]} */ (rules.points ?? [])) : null),
  sent,
  received,
  describe,
  total: (rules) => Number(rules.total),
  unit: "dots",
  moveText,
  deed: { now: "Draw", done: "drew", how: "join two dots" },
  analysisText,
  switches: [
    { name: "closings", label: "closings", on: true },
    { name: "numbers", label: "numbers", on: true },
    { name: "dashes", label: "dashes", on: false },
  ],
  opponent: "perfect",
  defaults,
  fields,
  faults,
  mountExample,
  mountMiniature,
};
