/** The texts that the board of dots shows, or announces to screen readers. */
import { formatNumber, formatGain, formatList } from "../base/format.js";
import { t, tn } from "../base/words.js";

/** @import { Analysis, Lesson, Move } from "../base/types.js" */
/** @import { Line } from "./dot-layout.js" */
/** @import { Position } from "./dots-position.js" */

/** @type {Lesson} */
export const LESSON = [
  [t("Joining"), t("Take turns drawing a line between two dots. Lines must not cross. Drag from dot to dot, or click one and then the other.")],
  [t("Closing a loop"), t("Close a loop and you score every dot on it; the dots leave the board with all their lines. A triangle is worth 3, a bigger loop more.")],
  [t("Gifts"), t("Two lines that meet at a dot are nearly a triangle. Before you draw, check what your rival could close next.")],
  [t("Running out"), t("In the end every line gives something away. Count ahead so that your rival has to, and give little when you must.")],
];

/** @param {Move} move */
export const moveText = ([a, b]) => `${a}–${b}`;

/** The effect of a line: `+5 · closes 5 dots`; if it closes no loop, just the line, `2–7`. @param {Line} line @param {number} gain */
export const lineText = (line, gain) => (gain ? tn("{gain} · closes {count} dot", "{gain} · closes {count} dots", gain, { gain: formatGain(gain) }) : moveText(line));

/** @param {number} dot */
export const goneText = (dot) => t("dot {dot} is gone", { dot });

/** @param {Line} line */
export const joinedText = ([a, b]) => t("{a} and {b} are joined already", { a, b });

/** @param {Line} line */
export const crossedText = (line) => t("crosses the line {line}", { line: moveText(line) });

/** Label of a dot for screen readers. @param {number} dot @param {Position} position */
export function dotLabel(dot, { lines }) {
  const joined = lines.flatMap(({ line: [a, b] }) => (a === dot ? [b] : b === dot ? [a] : [])).sort((a, b) => a - b);
  if (!joined.length) return t("dot {dot}, joined to none", { dot });
  return t("dot {dot}, joined to {others}", { dot, others: formatList(joined.map(String)) });
}

/** The board in one sentence. @param {Position} position @param {number} dots @param {string[]} names */
export function boardLabel({ ply, present, scores }, dots, names) {
  const count = formatNumber(dots);
  if (!ply) return t("Board of {count} dots, no line drawn", { count });
  const told = formatList(names.map((name, seat) => `${name} ${scores[seat]}`));
  return t("Board of {count} dots after line {number}, {left} left: {scores}", { count, number: ply, left: present.length, scores: told });
}

/** The solver's answer: `with best play +3 · best lines: 2–7, 3–5`. @param {Analysis} analysis */
export function analysisText({ value, low, high, exact, best }) {
  if (value === null) return t("not solved within a second: with best play from {low} to {high}", { low: signed(low), high: signed(high) });
  const lines = best.slice(0, 6).map(moveText).join(", ");
  const told = { value: signed(value), lines, more: best.length - 6 };
  if (best.length > 6) return t("with best play {value} · best lines: {lines} and {more} more", told);
  return t("with best play {value} · best lines: {lines}", told) + (exact ? "" : " …");
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
