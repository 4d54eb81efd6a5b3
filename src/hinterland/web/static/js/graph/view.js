/** The Voronoi game on graphs, as the generic pages know it. */
import { GraphBoard } from "./board.js";
import { mountExample, mountMiniature } from "./example.js";
import { defaults, describe, faults, fields } from "./setup.js";
import { moveText } from "./words.js";

/** @type {import("../types.js").GameView} */
export const view = {
  createBoard: () => new GraphBoard(),
  needsDrawingData: true,
  describe,
  total: (rules) => Number(rules.total),
  unit: "points",
  moveText,
  switches: [
    { name: "edges", label: "edges", on: true },
    { name: "values", label: "values", on: true },
    { name: "patterns", label: "patterns", on: false },
  ],
  opponent: "gain",
  defaults,
  fields,
  faults,
  mountExample,
  mountMiniature,
};
