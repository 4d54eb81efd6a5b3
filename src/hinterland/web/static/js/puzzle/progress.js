/** The puzzles that were solved in this browser, and those whose answers were shown. */
import { keep, readKept } from "../base/api.js";

/** @typedef {"solved" | "shown"} Done */

/** @param {string} game */
const nameOf = (game) => `hinterland.puzzles.${game}`;

/** The puzzles done, by number. @param {string} game @returns {Record<string, Done>} */
export function doneOf(game) {
  try {
    const done = JSON.parse(readKept(nameOf(game)) ?? "{}");
    return typeof done === "object" && done !== null ? done : {};
  } catch {
    return {};
  }
}

/** Note how a puzzle was done. Only the first note counts: a solved puzzle stays solved, and a puzzle whose answer was shown stays unsolved. @param {string} game @param {number} number @param {Done} how */
export function noteDone(game, number, how) {
  const done = doneOf(game);
  done[number] ??= how;
  keep(nameOf(game), JSON.stringify(done));
}

/** Number of solved puzzles in a range. @param {Record<string, Done>} done @param {number} first @param {number} last */
export const solvedIn = (done, first, last) => Object.entries(done).filter(([number, how]) => how === "solved" && Number(number) >= first && Number(number) <= last).length;
