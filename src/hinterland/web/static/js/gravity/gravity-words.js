/** What the board says, written or read out. */
import { counted, gained, listed, percent } from "../base/format.js";

/** @import { Move, Scene } from "../base/types.js" */

/** @param {Move} move */
export const moveText = ([row, col, weight]) => (weight > 1 ? `${row},${col} ×${weight}` : `${row},${col}`);

/** @param {number} spacing @param {{ number: number, distance: number }} obstacle */
export const tooNear = (spacing, { number, distance }) =>
  `${spacing} from stone ${number} needed, here ${distance.toFixed(1)}`;

/** @param {number} gain @param {boolean} exact */
export const gainText = (gain, exact) => (exact ? gained(gain) : `about ${gained(gain)}`);

/** @param {number} row @param {number} col @param {number} gain */
export const spokenGain = (row, col, gain) => `Row ${row}, column ${col}: takes ${counted(gain)} cells`;

/** @param {number} row @param {number} col @param {string} why */
export const spokenRefusal = (row, col, why) => `Row ${row}, column ${col}: ${why}`;

/**
 * The board in one sentence, for those who do not see it.
 * @param {Scene} scene @param {number[]} scores
 */
export function boardLabel({ moves, names, rules }, scores) {
  if (!moves.length) return "Gravity board, empty";
  const shares = names.map((name, seat) => `${name} ${percent(scores[seat] ?? 0, Number(rules.size) ** 2)}`);
  return `Gravity board after move ${moves.length}: ${listed(shares)}`;
}
