/** A small game that needs no server. */
import { t } from "../base/words.js";
import { DRAWING_DATA } from "./graph-example-board.js";
import { Network } from "./network.js";
import { Voronoi } from "./voronoi.js";

/** @import { LocalMoves, LocalSetting } from "../base/types.js" */

const PLAYERS = 2;
const TOKENS = 4;
/** Number of random vertices among which the example chooses the best, so that it plays well but not always the same. */
const LOOKED_AT = 5;
const { values, edges } = DRAWING_DATA;
const total = values.reduce((sum, value) => sum + value, 0);

/** @type {LocalSetting} */
export const example = {
  rules: { players: PLAYERS, tokens: TOKENS, vertices: values.length, edges: edges.length, parts: 1, total },
  isOver: ({ length }) => length >= PLAYERS * TOKENS,
  anywhere,
  total,
  words: { first: t("Click to place a blue token."), over: t("All tokens are placed"), verb: t("Place") },
  drawingData: DRAWING_DATA,
};

/** @param {LocalMoves} moves */
function anywhere(moves) {
  const voronoi = new Voronoi(new Network(DRAWING_DATA), PLAYERS);
  voronoi.goTo(moves);
  const free = values.map((_, vertex) => vertex).filter((vertex) => !voronoi.holds(vertex));
  const drawn = Array.from({ length: LOOKED_AT }, () => free[Math.floor(Math.random() * free.length)]);
  const gain = (/** @type {number} */ vertex) => voronoi.change(vertex, moves.length % PLAYERS).gain;
  return [drawn.reduce((best, vertex) => (gain(vertex) > gain(best) ? vertex : best))];
}
