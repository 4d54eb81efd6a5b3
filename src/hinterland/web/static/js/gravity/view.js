/** Gravity, as the generic pages know it. */
import { GravityBoard } from "./board.js";
import { mountExample, mountMiniature } from "./example.js";
import { defaults, describe, faults, fields } from "./setup.js";
import { WeightChooser } from "./weight.js";
import { moveText } from "./words.js";

/** @type {import("../types.js").GameView} */
export const view = {
  createBoard: () => new GravityBoard(),
  createMoveControls: (board) => new WeightChooser(/** @type {GravityBoard} */ (board)),
  describe,
  total: (rules) => Number(rules.size) ** 2,
  unit: "cells",
  moveText,
  switches: [
    { name: "contours", label: "contours", on: true },
    { name: "contest", label: "contest", on: true },
    { name: "patterns", label: "patterns", on: false },
  ],
  opponent: "reply",
  defaults,
  fields,
  faults,
  mountExample,
  mountMiniature,
};
