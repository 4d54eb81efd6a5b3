/** Games without a server: the example beside the rules, and the miniature that plays by itself. */
import { make, onDetail, prefersStill, setText } from "../base/dom.js";
import { shares } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { BoardElement, GameView, LocalMoves, LocalSetting } from "../base/types.js" */

const NAMES = [t("Blue"), t("Vermilion")];
const BEAT_MS = 1400;
const REST_BEATS = 3;
/** Number of moves with which a miniature starts, so that it never shows an empty board. */
const SHOWN_AT_ONCE = 4;

/** A game of two seats that take turns, without a referee. */
class LocalGame {
  /** @param {BoardElement} board @param {LocalSetting} setting @param {boolean} interactive */
  constructor(board, setting, interactive) {
    this.board = board;
    this.setting = setting;
    this.interactive = interactive;
    /** Whether a visitor plays this game. */
    this.isPlayed = false;
    /** @type {LocalMoves} */
    this.moves = [];
  }

  get toMove() {
    return this.setting.isOver(this.moves) ? null : this.moves.length % NAMES.length;
  }

  /** @param {number[]} move */
  play(move) {
    this.add(move);
    this.show();
  }

  /** @param {number[]} move */
  add(move) {
    if (this.toMove !== null) this.moves.push({ seat: this.toMove, move });
  }

  show() {
    const { setting, interactive, toMove } = this;
    const { rules, drawingData } = setting;
    this.board.show({ rules, drawingData, names: NAMES, moves: [...this.moves], toMove, placing: this.isPlayed && toMove !== null, interactive });
  }

  clear() {
    this.moves.length = 0;
    this.show();
  }
}

/** Mount a board that plays by itself until a visitor points at it, and then waits for the visitor's clicks. @param {HTMLElement} place @param {GameView} view */
export async function mountExample(place, view) {
  const setting = await view.example();
  const { words: told, total } = setting;
  const { first, over, verb } = told;
  const board = view.createBoard();
  const words = make("p", { class: "example-words", "aria-live": "polite" }, first);
  const again = make("button", { type: "button", class: "quiet" }, t("Start over"));
  const confirm = make("button", { type: "button", class: "plain", hidden: true }, verb);
  place.replaceChildren(board, make("div", { class: "example-foot" }, words, confirm, again));
  const game = new LocalGame(board, setting, true);
  const stop = demonstrate(game);
  const come = () => {
    stop();
    game.isPlayed = true;
    game.clear();
  };
  for (const coming of ["pointerenter", "focusin"]) board.addEventListener(coming, () => game.isPlayed || come());
  onDetail(board, "choose", ({ move }) => game.play(move));
  onDetail(board, "aim", (aim) => (confirm.hidden = !aim?.legal));
  confirm.addEventListener("click", () => board.choose());
  onDetail(board, "painted", ({ scores }) => {
    if (!game.isPlayed) return;
    const [one, other] = shares(scores, total);
    const next = game.toMove === null ? over : t("{name} to move", { name: NAMES[game.toMove] });
    setText(words, game.moves.length ? `${t("{one} to {other}", { one, other })}. ${next}.` : first);
  });
  again.addEventListener("click", come);
}

/** Mount a small board that plays by itself. @param {HTMLElement} place @param {GameView} view */
export async function mountMiniature(place, view) {
  const setting = await view.example();
  const board = view.createBoard();
  place.replaceChildren(board);
  demonstrate(new LocalGame(board, setting, false));
}

/** Let a game play itself again and again; if the viewer prefers reduced motion, show only the end of one game. @param {LocalGame} game @returns {() => void} stops it */
function demonstrate(game) {
  const { board, setting } = game;
  const most = prefersStill.matches ? Infinity : SHOWN_AT_ONCE;
  const begin = () => {
    game.moves.length = 0;
    for (let made = 0; made < most && game.toMove !== null; made++) game.add(setting.anywhere(game.moves));
    game.show();
  };
  begin();
  let rest = 0;
  const timer = setInterval(() => {
    if (!board.isConnected || prefersStill.matches) return clearInterval(timer);
    if (document.hidden) return undefined;
    if (game.toMove !== null) return game.play(setting.anywhere(game.moves));
    rest = (rest + 1) % REST_BEATS;
    return rest ? undefined : begin();
  }, BEAT_MS);
  return () => clearInterval(timer);
}
