/** The Voronoi game on graphs, as the generic pages know it. */
import { GraphBoard } from "./graph-board.js";
import { rulesView } from "./graph-rules.js";

/** @import { GameView } from "../base/types.js" */

/** @type {GameView} */
export const view = { ...rulesView, createBoard: () => new GraphBoard() };
