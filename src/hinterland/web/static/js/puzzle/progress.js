/** The puzzles that this browser has solved, or seen the answers of. */
import { keep, readKept } from "../base/api.js";

/** @typedef {"solved" | "shown"} Done */

/** @param {string} game */
const nameOf = (game) => `hinterland.puzzles.${game}`;

/** By number. @param {string} game @returns {Record<string, Done>} */
export function doneOf(game) {
  try {
    const done = JSON.parse(readKept(nameOf(game)) ?? "{}");
    return typeof done === "object" && done !== null ? done : {};
  } catch {
    return {};
  }
}

/** A solved puzzle stays solved; a shown answer is no solution. @param {string} game @param {number} number @param {Done} how */
export function noteDone(game, number, how) {
  const done = doneOf(game);
  done[number] ??= how;
  keep(nameOf(game), JSON.stringify(done));
}

/** Number of solved puzzles in a range. @param {Record<string, Done>} done @param {number} first @param {number} last */
export const solvedIn = (done, first, last) => Object.entries(done).filter(([number, how]) => how === "solved" && Number(number) >= first && Number(number) <= last).length;
