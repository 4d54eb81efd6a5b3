/** Boards that need no server: the example beside the rules, and the miniature that plays by itself. */
import { mountPlaying, mountSketch, wordsOf } from "../board/sketch.js";
import { GravityBoard } from "./board.js";
import { obstacle } from "./field.js";

/** @typedef {import("../types.js").Move} Move */

const RULES = { size: 240, players: 2, stones: 4, spacing: 24, weight: null, law: "gravity" };
/** @type {import("../board/sketch.js").Ground} */
const GROUND = { rules: RULES, isOver: ({ length }) => length >= RULES.players * RULES.stones, total: RULES.size ** 2, words: wordsOf("stone") };

/** @param {HTMLElement} place */
export const mountExample = (place) => mountSketch(place, new GravityBoard(), GROUND);

/** @param {HTMLElement} place */
export const mountMiniature = (place) => mountPlaying(place, new GravityBoard(), GROUND, anywhere);

/** A legal cell away from the edge. @param {{ seat: number, move: Move }[]} moves @returns {Move} */
function anywhere(moves) {
  const stones = moves.map(({ seat, move: [row, col] }) => ({ row, col, weight: 1, seat }));
  const margin = RULES.size / 8;
  const pick = () => Math.floor(margin + Math.random() * (RULES.size - 2 * margin));
  for (;;) {
    const [row, col] = [pick(), pick()];
    if (!obstacle(stones, row, col, 1.5 * RULES.spacing)) return [row, col];
  }
}
