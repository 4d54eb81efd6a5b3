/** Numbers and times as text, in the language of the page. */
import { formatNumber, language } from "./words.js";

export { formatNumber };

const tenth = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
const list = new Intl.ListFormat(language);
const POINT = tenth.format(0.1).slice(1, 2);

/** A number with one decimal, such as `51.2`. It is rounded down, so that only a whole reads 100 %. @param {number} number */
export const tenths = (number) => tenth.format(Math.floor(10 * number) / 10);

/** `+38,211`. @param {number} gain */
export const formatGain = (gain) => `+${formatNumber(gain)}`;

/** `53.1 %`. @param {number} share  from 0 to 1 */
export const percent = (share) => `${tenth.format(Math.floor(1000 * share) / 10)}\u202f%`;

/** Boards whose scores add up to at most this show counts, not shares: on twelve dots `5` says more than `41.7 %`. */
const FEW = 100;

/** Scores as text: `53.1 %` and `46.9 %`, or as counts on a small board. @param {number[]} scores @param {number} total  of the board */
export function shares(scores, total) {
  return total <= FEW ? scores.map(formatNumber) : inThousands(scores, total).map((count) => `${tenth.format(count / 10)}\u202f%`);
}

/** The scores as shares of the total, in tenths of a per cent. The shares with the largest remainders are rounded up, so that all shares and the unowned part add up to 1000. @param {number[]} scores @param {number} total */
function inThousands(scores, total) {
  const parts = [...scores, total - scores.reduce((sum, score) => sum + score, 0)].map((part) => (1000 * part) / total);
  const whole = parts.map(Math.floor);
  const missing = Math.round(1000 - whole.reduce((sum, count) => sum + count, 0));
  const byRemainder = parts.map((part, k) => ({ k, rest: part - whole[k] })).sort((one, other) => other.rest - one.rest);
  for (const { k } of byRemainder.slice(0, Math.max(0, missing))) whole[k]++;
  return whole.slice(0, scores.length);
}

/** A time as `1:42.3`; from ten minutes on without tenths. @param {number} ms */
export function clockText(ms) {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const seconds = Math.floor(tenths / 10);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return seconds < 600 ? `${text}${POINT}${tenths % 10}` : text;
}

/** `Ann, reply and mirror`. @param {string[]} names */
export const formatList = (names) => list.format(names);

/** A message of the server with a capital first letter. @param {string} words */
export const sentence = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
