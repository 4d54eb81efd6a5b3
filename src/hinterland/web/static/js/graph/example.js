/** Boards that need no server: the example beside the rules, and the miniature that plays by itself. */
import { mountPlaying, mountSketch, wordsOf } from "../board/sketch.js";
import { GraphBoard } from "./board.js";
import { DRAWING_DATA } from "./example-board.js";
import { Network } from "./network.js";
import { Standing } from "./standing.js";

/** @typedef {import("../types.js").Move} Move */

const PLAYERS = 2;
const TOKENS = 4;
/** Of how many vertices the miniature takes the best: so it plays sensibly, and not always the same. */
const LOOKED_AT = 5;

const total = DRAWING_DATA.values.reduce((sum, value) => sum + value, 0);
const rules = { players: PLAYERS, tokens: TOKENS, vertices: DRAWING_DATA.values.length, edges: DRAWING_DATA.edges.length, parts: 1, total };
/** @type {import("../board/sketch.js").Ground} */
const GROUND = { rules, isOver: ({ length }) => length >= PLAYERS * TOKENS, total, words: wordsOf("token"), drawingData: DRAWING_DATA };

/** @param {HTMLElement} place */
export const mountExample = (place) => mountSketch(place, new GraphBoard(), GROUND);

/** @param {HTMLElement} place */
export const mountMiniature = (place) => mountPlaying(place, new GraphBoard(), GROUND, anywhere);

/** @param {{ seat: number, move: Move }[]} moves @returns {Move} */
function anywhere(moves) {
  const standing = new Standing(new Network(DRAWING_DATA), PLAYERS);
  standing.goTo(moves);
  const free = DRAWING_DATA.values.map((_, vertex) => vertex).filter((vertex) => !standing.holds(vertex));
  const drawn = Array.from({ length: LOOKED_AT }, () => free[Math.floor(Math.random() * free.length)]);
  const gain = (/** @type {number} */ vertex) => standing.weigh(vertex, moves.length % PLAYERS).gain;
  return [drawn.reduce((best, vertex) => (gain(vertex) > gain(best) ? vertex : best))];
}
