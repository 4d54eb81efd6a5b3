/**
 * The empty board beside a form: it answers at once how big a board and how wide a spacing that is.
 *
 * Where boards are drawn by lot the server is asked for the very board that will be played; of several questions only the
 * newest counts.
 */
import { Refused, tryBoard } from "./api.js";

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Rules} Rules */

const ASK_AFTER_MS = 300;

export class Trial {
  /**
   * @param {HTMLElement} place @param {string} game @param {GameView} view
   * @param {{ laid(rules: Rules): void, failed(words: string): void }} listener  laid: with what the server says of the board
   */
  constructor(place, game, view, listener) {
    this.game = game;
    this.view = view;
    this.listener = listener;
    this.place = place;
    this.board = view.createBoard();
    place.replaceChildren(this.board);
    this.shown = "";
    this.timer = 0;
    this.asking = new AbortController();
  }

  /** @param {Rules} rules @param {string[]} names */
  show(rules, names) {
    const key = JSON.stringify(rules);
    if (key === this.shown) return;
    this.cancel();
    this.shown = key;
    const drawingData = this.view.layOut?.(rules);
    if (drawingData || !this.view.needsDrawingData) return this.#draw(rules, names, drawingData ?? undefined);
    this.place.setAttribute("aria-busy", "true");
    this.timer = window.setTimeout(() => this.#ask(rules, names), ASK_AFTER_MS);
  }

  /** Forget what was asked: the form says something else by now. */
  cancel() {
    this.shown = "";
    clearTimeout(this.timer);
    this.asking.abort();
    this.place.removeAttribute("aria-busy");
  }

  /** @param {Rules} rules @param {string[]} names */
  async #ask(rules, names) {
    const { signal } = (this.asking = new AbortController());
    try {
      const board = await tryBoard(this.game, rules, signal);
      if (signal.aborted) return;
      this.#draw(board.rules, names, board.drawing_data);
      this.listener.laid(board.rules);
    } catch (error) {
      if (signal.aborted) return;
      this.shown = "";
      this.listener.failed(error instanceof Refused ? error.message : "the board could not be drawn");
    }
    this.place.removeAttribute("aria-busy");
  }

  /** @param {Rules} rules @param {string[]} names @param {unknown} [drawingData] */
  #draw(rules, names, drawingData) {
    this.board.show({ rules, drawingData, names, moves: [], toMove: null, placing: false, trial: true });
  }
}
