/** Boards that need no server: the example beside the rules, and the miniature that plays by itself. */
import { mountPlaying, mountSketch } from "../board/sketch.js";
import { DotsBoard } from "./board.js";
import { DRAWING_DATA } from "./example-board.js";
import { Plan } from "./plan.js";
import { Game, cycleOf, after, legalLines } from "./standing.js";

/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("./plan.js").Line} Line */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {{ seat: number, move: Move }[]} Moves */

const PLAYERS = 2;
const LEAST = 3;
const total = DRAWING_DATA.places.length;

/** @param {Moves} moves */
const standingOf = (moves) => new Game(total, PLAYERS).goTo(moves);

const GROUND = {
  rules: { players: PLAYERS, dots: total, total },
  isOver: (/** @type {Moves} */ moves) => standingOf(moves).present.length < LEAST,
  total,
  words: { first: "Click two dots to draw a blue line.", over: "Fewer than three dots are left", deed: "Draw" },
  drawingData: DRAWING_DATA,
};

/** @param {HTMLElement} place */
export const mountExample = (place) => mountSketch(place, new DotsBoard(), GROUND);

/** @param {HTMLElement} place */
export const mountMiniature = (place) => mountPlaying(place, new DotsBoard(), GROUND, careful);

/** Close the most; else leave the other as little as can be; of equals, any. @param {Moves} moves @returns {Move} */
function careful(moves) {
  const plan = new Plan(DRAWING_DATA);
  const standing = standingOf(moves);
  const seat = moves.length % PLAYERS;
  const most = (/** @type {Standing} */ one) => legalLines(plan, one).reduce((best, line) => Math.max(best, cycleOf(one, line).length), 0);
  const worth = (/** @type {Line} */ line) => cycleOf(standing, line).length || -most(after(standing, { seat, move: line }));
  const rated = legalLines(plan, standing).map((line) => ({ line, worth: worth(line), lot: Math.random() }));
  return rated.reduce((best, one) => (one.worth > best.worth || (one.worth === best.worth && one.lot > best.lot) ? one : best)).line;
}
