/** Games kept in the page, without a server: the example beside the rules, and the miniature that plays by itself. */
import { make, prefersStill, setText } from "../dom.js";
import { percent } from "../format.js";

/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").BoardElement} BoardElement */
/** @typedef {{ seat: number, move: Move }[]} Moves */
/** @typedef {{ first: string, over: string, deed: string }} Words */
/** @typedef {{ rules: Rules, isOver(moves: Moves): boolean, total: number, words: Words, drawingData?: unknown }} Ground */

const NAMES = ["Blue", "Vermilion"];
const BEAT_MS = 1400;
const REST_BEATS = 3;

/** The words of a game in which pieces are placed. @param {string} piece @returns {Words} */
export const wordsOf = (piece) => ({ first: `Click to place a blue ${piece}.`, over: `All ${piece}s are placed`, deed: "Place" });

/** Two seats in turn, no referee. */
export class Sketch {
  /** @param {BoardElement} board @param {Ground} ground @param {boolean} interactive */
  constructor(board, ground, interactive) {
    this.board = board;
    this.ground = ground;
    this.interactive = interactive;
    /** @type {{ seat: number, move: Move }[]} */
    this.moves = [];
  }

  get toMove() {
    return this.ground.isOver(this.moves) ? null : this.moves.length % NAMES.length;
  }

  /** @param {Move} move */
  play(move) {
    if (this.toMove !== null) this.moves.push({ seat: this.toMove, move });
    this.show();
  }

  show() {
    const { ground, interactive, toMove } = this;
    const { rules, drawingData } = ground;
    this.board.show({ rules, drawingData, names: NAMES, moves: [...this.moves], toMove, placing: interactive && toMove !== null, interactive });
  }

  clear() {
    this.moves.length = 0;
    this.show();
  }
}

/** A board to click on. @param {HTMLElement} place @param {BoardElement} board @param {Ground} ground */
export function mountSketch(place, board, ground) {
  const { first, over, deed } = ground.words;
  const words = make("p", { class: "example-words", "aria-live": "polite" }, first);
  const again = make("button", { type: "button", class: "quiet" }, "Start over");
  const confirm = make("button", { type: "button", class: "plain", hidden: true }, deed);
  place.replaceChildren(board, make("div", { class: "example-foot" }, words, confirm, again));
  const sketch = new Sketch(board, ground, true);
  board.addEventListener("choose", (event) => sketch.play(/** @type {CustomEvent} */ (event).detail.move));
  board.addEventListener("aim", (event) => (confirm.hidden = !(/** @type {CustomEvent} */ (event).detail?.legal)));
  confirm.addEventListener("click", () => board.choose());
  board.addEventListener("painted", (event) => {
    const [blue, vermilion] = /** @type {CustomEvent} */ (event).detail.scores;
    const next = sketch.toMove === null ? over : `${NAMES[sketch.toMove]} to move`;
    setText(words, sketch.moves.length ? `${percent(blue, ground.total)} to ${percent(vermilion, ground.total)}. ${next}.` : first);
  });
  again.addEventListener("click", () => sketch.clear());
  sketch.show();
}

/** A board that plays by itself. @param {HTMLElement} place @param {BoardElement} board @param {Ground} ground @param {(moves: Sketch["moves"]) => Move} anywhere */
export function mountPlaying(place, board, ground, anywhere) {
  place.replaceChildren(board);
  const sketch = new Sketch(board, ground, false);
  sketch.show();
  if (prefersStill.matches) {
    while (sketch.toMove !== null) sketch.play(anywhere(sketch.moves));
    return;
  }
  let rest = 0;
  const timer = setInterval(() => {
    if (!board.isConnected) return clearInterval(timer);
    if (document.hidden) return undefined;
    if (sketch.toMove !== null) return sketch.play(anywhere(sketch.moves));
    rest = (rest + 1) % REST_BEATS;
    return rest ? undefined : sketch.clear();
  }, BEAT_MS);
}
