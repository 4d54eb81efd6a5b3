/** Games kept in the page, without a server: the example beside the rules, and the miniature that plays by itself. */
import { make, onDetail, prefersStill, setText } from "../base/dom.js";
import { percent } from "../base/format.js";

/** @import { BoardElement, GameView, LocalMoves, LocalSetting, LocalWords } from "../base/types.js" */

const NAMES = ["Blue", "Vermilion"];
const BEAT_MS = 1400;
const REST_BEATS = 3;

/** The words of a game in which pieces are placed. @param {string} piece @returns {LocalWords} */
export const wordsOf = (piece) => ({ first: `Click to place a blue ${piece}.`, over: `All ${piece}s are placed`, verb: "Place" });

/** Two seats in turn, no referee. */
class LocalGame {
  /** @param {BoardElement} board @param {LocalSetting} setting @param {boolean} interactive */
  constructor(board, setting, interactive) {
    this.board = board;
    this.setting = setting;
    this.interactive = interactive;
    /** @type {LocalMoves} */
    this.moves = [];
  }

  get toMove() {
    return this.setting.isOver(this.moves) ? null : this.moves.length % NAMES.length;
  }

  /** @param {number[]} move */
  play(move) {
    if (this.toMove !== null) this.moves.push({ seat: this.toMove, move });
    this.show();
  }

  show() {
    const { setting, interactive, toMove } = this;
    const { rules, drawingData } = setting;
    this.board.show({ rules, drawingData, names: NAMES, moves: [...this.moves], toMove, placing: interactive && toMove !== null, interactive });
  }

  clear() {
    this.moves.length = 0;
    this.show();
  }
}

/** A board to click on. @param {HTMLElement} place @param {GameView} view */
export function mountExample(place, view) {
  const board = view.createBoard();
  const setting = view.example;
  const { first, over, verb } = setting.words;
  const words = make("p", { class: "example-words", "aria-live": "polite" }, first);
  const again = make("button", { type: "button", class: "quiet" }, "Start over");
  const confirm = make("button", { type: "button", class: "plain", hidden: true }, verb);
  place.replaceChildren(board, make("div", { class: "example-foot" }, words, confirm, again));
  const game = new LocalGame(board, setting, true);
  onDetail(board, "choose", ({ move }) => game.play(move));
  onDetail(board, "aim", (aim) => (confirm.hidden = !aim?.legal));
  confirm.addEventListener("click", () => board.choose());
  onDetail(board, "painted", ({ scores: [blue, vermilion] }) => {
    const next = game.toMove === null ? over : `${NAMES[game.toMove]} to move`;
    setText(words, game.moves.length ? `${percent(blue, setting.total)} to ${percent(vermilion, setting.total)}. ${next}.` : first);
  });
  again.addEventListener("click", () => game.clear());
  game.show();
}

/** A small board that plays by itself. @param {HTMLElement} place @param {GameView} view */
export function mountMiniature(place, view) {
  const board = view.createBoard();
  const { anywhere } = view.example;
  place.replaceChildren(board);
  const game = new LocalGame(board, view.example, false);
  game.show();
  if (prefersStill.matches) {
    while (game.toMove !== null) game.play(anywhere(game.moves));
    return;
  }
  let rest = 0;
  const timer = setInterval(() => {
    if (!board.isConnected) return clearInterval(timer);
    if (document.hidden) return undefined;
    if (game.toMove !== null) return game.play(anywhere(game.moves));
    rest = (rest + 1) % REST_BEATS;
    return rest ? undefined : game.clear();
  }, BEAT_MS);
}
