/** Join the dots, as the generic pages know it. */
import { DotsBoard } from "./dots-board.js";
import { rulesView } from "./dots-rules.js";

/** @import { GameView } from "../base/types.js" */

/** @type {GameView} */
export const view = { ...rulesView, createBoard: () => new DotsBoard() };
