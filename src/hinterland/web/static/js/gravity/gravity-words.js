/** The texts that the board of gravity shows, or announces to screen readers. */
import { formatNumber, formatGain, formatList, shares, tenths } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { Lesson, Move, Scene } from "../base/types.js" */

/** @type {Lesson} */
export const LESSON = [
  [t("Pull"), t("Every stone pulls on every cell, the nearer the harder. Whoever pulls hardest owns the cell. Click anywhere: the first stone takes the whole board.")],
  [t("Spacing"), t("Stones keep a distance: none may lie in the disc around another. Move the pointer: the number is what a stone there would win.")],
  [t("Stealing ground"), t("Cells change hands with every stone. Near a frontier, or behind one of your rival’s stones, you take cells from your rival. Find the biggest number.")],
  [t("The last move"), t("Nobody can answer the last stone, so it is worth more than any other. In a match you play twice, so each of you gets it once.")],
];

/** A move in words. Row and column are named, because `601,372` would look like one number. @param {Move} move */
export const moveText = ([row, col, weight]) => [t("row {row} · col {col}", { row, col }), ...(weight > 1 ? [t("weight {weight}", { weight })] : [])].join(" · ");

/** @param {number} spacing @param {{ number: number, distance: number }} obstacle */
export const tooNear = (spacing, { number, distance }) =>
  t("too close to stone {number} ({distance} away, {spacing} needed)", { spacing, number, distance: tenths(distance) });

/** @param {number} gain @param {boolean} exact */
export const gainText = (gain, exact) => (exact ? formatGain(gain) : t("about {gain}", { gain: formatGain(gain) }));

/** @param {number} row @param {number} col @param {number} gain */
export const spokenGain = (row, col, gain) => t("Row {row}, column {col}: takes {gain} cells", { row, col, gain: formatNumber(gain) });

/** @param {number} row @param {number} col @param {string} why */
export const spokenRefusal = (row, col, why) => t("Row {row}, column {col}: {why}", { row, col, why });

/**
 * Label of the board for screen readers.
 * @param {Scene} scene @param {number[]} scores
 */
export function boardLabel({ moves, names, rules }, scores) {
  if (!moves.length) return t("Gravity board, empty");
  const told = shares(scores, Number(rules.size) ** 2);
  const areas = formatList(names.map((name, seat) => `${name} ${told[seat] ?? "0"}`));
  return t("Gravity board after move {number}: {areas}", { number: moves.length, areas });
}
