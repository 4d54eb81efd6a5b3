/** The page of puzzles: which are solved, which comes next, and the puzzle of the day. */
import { need, pageData, setText } from "../base/dom.js";
import { formatNumber, sentence } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { doneOf, solvedIn } from "../puzzle/progress.js";
import { loadView } from "./view-loader.js";

/** @import { Done } from "../puzzle/progress.js" */
/** @typedef {[number, number]} Range  the first and the last number */

const { daily, ranges = {} } = pageData();

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-game]"))) {
  const game = place.dataset.game ?? "";
  const done = doneOf(game);
  showSolved(need("[data-solved]", place), solvedIn(done, 1, Infinity));
  for (const [difficulty, range] of Object.entries(ranges[game] ?? {})) showBand(need(`[data-band="${difficulty}"]`, place), game, done, range);
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-number]"))) mark(link, done);
}
if (daily) showDaily();

/** @param {Element} place @param {number} solved */
function showSolved(place, solved) {
  if (solved) setText(place, t("{solved} of {puzzles} solved", { solved: formatNumber(solved), puzzles: place.textContent ?? "" }));
}

/** Link a difficulty to its first puzzle that is not done, and show how many are solved. @param {HTMLElement} link @param {string} game @param {Record<string, Done>} done @param {Range} range */
function showBand(link, game, done, [first, last]) {
  const numbers = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const next = numbers.find((number) => !done[number]) ?? first;
  link.setAttribute("href", urlOf(`/puzzles/${game}/${next}`));
  const solved = solvedIn(done, first, last);
  need(".band-track > span", link).style.width = `${(100 * solved) / numbers.length}%`;
  if (solved) setText(need(".band-numbers", link), t("{solved} of {puzzles} solved", { solved, puzzles: numbers.length }));
}

/** @param {HTMLElement} link @param {Record<string, Done>} done */
function mark(link, done) {
  const { number = "" } = link.dataset;
  if (!done[number]) return;
  link.dataset.state = done[number];
  link.setAttribute("aria-label", `${number}, ${done[number] === "solved" ? t("solved") : t("answer shown")}`);
}

async function showDaily() {
  const state = doneOf(daily.game)[daily.number];
  if (state) setText(need("[data-daily-state]"), sentence(state === "solved" ? t("solved") : t("answer shown")));
  const view = await loadView(daily.game);
  const board = view.createBoard();
  need("[data-daily]").replaceChildren(board);
  board.show({ rules: daily.rules, drawingData: daily.drawing_data, names: daily.names, moves: daily.moves, toMove: daily.seat, placing: false });
}
