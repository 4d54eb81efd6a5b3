/** What the board says, written or read out. */
import { counted, gained, listed, several } from "../base/format.js";

/** @import { Analysis, Move } from "../base/types.js" */
/** @import { Line } from "./dot-layout.js" */
/** @import { Position } from "./dots-position.js" */

/** @param {Move} move */
export const moveText = ([a, b]) => `${a}–${b}`;

/** What a line does: `2–7`, or `+5` where it closes. @param {Line} line @param {number} gain */
export const lineText = (line, gain) => (gain ? `${gained(gain)} · closes ${several(gain, "dot")}` : moveText(line));

/** @param {number} dot */
export const goneText = (dot) => `dot ${dot} is gone`;

/** @param {Line} line */
export const joinedText = ([a, b]) => `${a} and ${b} are joined already`;

/** @param {Line} line */
export const crossedText = (line) => `crosses the line ${moveText(line)}`;

/** A dot for those who do not see it. @param {number} dot @param {Position} position */
export function dotLabel(dot, { lines }) {
  const joined = lines.flatMap(({ line: [a, b] }) => (a === dot ? [b] : b === dot ? [a] : [])).sort((a, b) => a - b);
  return `dot ${dot}, ${joined.length ? `joined to ${listed(joined.map(String))}` : "joined to none"}`;
}

/** The board in one sentence. @param {Position} position @param {number} dots @param {string[]} names */
export function boardLabel({ ply, present, scores }, dots, names) {
  const board = `Board of ${several(dots, "dot")}`;
  if (!ply) return `${board}, no line drawn`;
  return `${board} after line ${ply}, ${counted(present.length)} left: ${listed(names.map((name, seat) => `${name} ${scores[seat]}`))}`;
}

/** What the solver knows: `exact value +3 · best: 2–7, 3–5`. @param {Analysis} analysis */
export function analysisText({ value, low, high, exact, best }) {
  if (value === null) return `not solved in a second: the value is from ${signed(low)} to ${signed(high)}`;
  const lines = best.slice(0, 6).map(moveText).join(", ");
  const more = best.length > 6 ? ` and ${best.length - 6} more` : exact ? "" : " …";
  return `exact value ${signed(value)} · best: ${lines}${more}`;
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
