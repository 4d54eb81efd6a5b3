/** Gravity, as the generic pages know it. */
import { GravityBoard } from "./gravity-board.js";
import { rulesView } from "./gravity-rules.js";
import { WeightChooser } from "./weight-chooser.js";

/** @import { GameView } from "../base/types.js" */

/** @type {GameView} */
export const view = {
  ...rulesView,
  createBoard: () => new GravityBoard(),
  createMoveControls: (board) => new WeightChooser(/** @type {GravityBoard} */ (board)),
};
