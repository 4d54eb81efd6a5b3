/** Boards that need no server: the example beside the rules, and the miniature that plays by itself. */
import { make, prefersStill, setText } from "../dom.js";
import { percent } from "../format.js";
import { obstacle } from "./field.js";
import { GravityBoard } from "./board.js";

/** @typedef {import("../types.js").Move} Move */

const RULES = { size: 240, players: 2, stones: 4, spacing: 24, weight: null, law: "gravity" };
const NAMES = ["Blue", "Vermilion"];
const BEAT_MS = 1400;
const REST_BEATS = 3;

/** A game kept in the page: two seats in turn, no referee. */
class Sketch {
  /** @param {GravityBoard} board @param {{ placing: boolean, interactive: boolean }} manner */
  constructor(board, manner) {
    this.board = board;
    this.manner = manner;
    /** @type {{ seat: number, move: Move }[]} */
    this.moves = [];
  }

  get toMove() {
    return this.moves.length < RULES.players * RULES.stones ? this.moves.length % RULES.players : null;
  }

  /** @param {Move} move */
  play(move) {
    if (this.toMove !== null) this.moves.push({ seat: this.toMove, move });
    this.show();
  }

  show() {
    const { placing, interactive } = this.manner;
    const over = this.toMove === null;
    this.board.show({ rules: RULES, names: NAMES, moves: [...this.moves], toMove: this.toMove, placing: placing && !over, interactive });
  }

  clear() {
    this.moves.length = 0;
    this.show();
  }
}

/** @param {HTMLElement} place */
export function mountExample(place) {
  const board = new GravityBoard();
  const words = make("p", { class: "example-words", "aria-live": "polite" }, "Click to place a blue stone.");
  const again = make("button", { type: "button", class: "quiet" }, "Start over");
  const confirm = make("button", { type: "button", class: "plain", hidden: true }, "Place");
  place.replaceChildren(board, make("div", { class: "example-foot" }, words, confirm, again));
  const sketch = new Sketch(board, { placing: true, interactive: true });
  board.addEventListener("choose", (event) => sketch.play(/** @type {CustomEvent} */ (event).detail.move));
  board.addEventListener("aim", (event) => (confirm.hidden = !(/** @type {CustomEvent} */ (event).detail?.legal)));
  confirm.addEventListener("click", () => board.choose());
  board.addEventListener("painted", (event) => {
    const [blue, vermilion] = /** @type {CustomEvent} */ (event).detail.scores;
    const next = sketch.toMove === null ? "All stones are placed" : `${NAMES[sketch.toMove]} to move`;
    if (sketch.moves.length) setText(words, `${percent(blue, RULES.size ** 2)} to ${percent(vermilion, RULES.size ** 2)}. ${next}.`);
    else setText(words, "Click to place a blue stone.");
  });
  again.addEventListener("click", () => sketch.clear());
  sketch.show();
}

/** @param {HTMLElement} place */
export function mountMiniature(place) {
  const board = new GravityBoard();
  place.replaceChildren(board);
  const sketch = new Sketch(board, { placing: false, interactive: false });
  sketch.show();
  if (prefersStill.matches) {
    while (sketch.toMove !== null) sketch.play(anywhere(sketch));
    return;
  }
  let rest = 0;
  const timer = setInterval(() => {
    if (!board.isConnected) return clearInterval(timer);
    if (document.hidden) return undefined;
    if (sketch.toMove !== null) return sketch.play(anywhere(sketch));
    rest = (rest + 1) % REST_BEATS;
    return rest ? undefined : sketch.clear();
  }, BEAT_MS);
}

/** A legal cell away from the edge. @param {Sketch} sketch @returns {Move} */
function anywhere({ moves }) {
  const stones = moves.map(({ seat, move: [row, col] }) => ({ row, col, weight: 1, seat }));
  const margin = RULES.size / 8;
  const pick = () => Math.floor(margin + Math.random() * (RULES.size - 2 * margin));
  for (;;) {
    const [row, col] = [pick(), pick()];
    if (!obstacle(stones, row, col, 1.5 * RULES.spacing)) return [row, col];
  }
}
