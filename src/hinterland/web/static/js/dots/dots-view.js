/** The view of Join the dots for the generic pages. */
import { DotsBoard } from "./dots-board.js";
import { rulesView } from "./dots-rules.js";

/** @import { GameView } from "../base/types.js" */

/** @type {GameView} */
export const view = { ...rulesView, createBoard: () => new DotsBoard() };
