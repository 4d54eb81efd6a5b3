/** A text or file that somebody opens: its lines that may be games, with a description of each. */
import { formatNumber, t } from "../base/words.js";

/** @typedef {{ text: string, words: string, isRecord: boolean }} Line */

export const MAX_MB = 32;
export const MAX_LISTED = 1000;

/** The text of a file. Throws a sentence if it is too large. @param {File} file */
export async function textOf(file) {
  if (file.size > MAX_MB * 1024 * 1024) {
    throw new RangeError(t("This file has {size} MB, {most} at most: open a file with one game", { size: formatNumber(Math.ceil(file.size / 1024 / 1024)), most: MAX_MB }));
  }
  return file.text();
}

/** @param {string} text @returns {string[]} */
export const linesOf = (text) => text.split("\n").filter((line) => line.trim());

/** The description of a line, unchecked. @param {string} text @returns {Line} */
export function described(text) {
  try {
    const { game, players, scores, times } = JSON.parse(text);
    const names = players.map((/** @type {unknown} */ name, /** @type {number} */ seat) => `${short(name)} ${formatNumber(Number(scores[seat]))}`);
    return { text, isRecord: true, words: `${names.join(" – ")} · ${short(game)} · ${short(times.started).slice(0, 10)}` };
  } catch {
    return { text, isRecord: false, words: t("not a game, or a damaged one") };
  }
}

/** @param {unknown} value */
const short = (value) => String(value).slice(0, 40);
