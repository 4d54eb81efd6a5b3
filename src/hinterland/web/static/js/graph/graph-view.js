/** The view of the Voronoi game on graphs for the generic pages. */
import { GraphBoard } from "./graph-board.js";
import { rulesView } from "./graph-rules.js";

/** @import { GameView } from "../base/types.js" */

/** @type {GameView} */
export const view = { ...rulesView, createBoard: () => new GraphBoard() };
