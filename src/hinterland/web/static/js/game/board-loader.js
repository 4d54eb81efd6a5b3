/**
 * Fetches the drawing data without which some boards cannot be drawn, and shows a scene as soon as its drawing data has
 * come.
 *
 * Drawing data is fetched once for each address. If that fails, it is requested again; until it has come, a quiet line
 * of text says that the board is being drawn. Event: `trouble` (detail: words for a banner, empty when the trouble is
 * over).
 */
import { Refused, get } from "../base/api.js";
import { make } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { BoardElement, Scene } from "../base/types.js" */

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

export class BoardLoader extends EventTarget {
  /** @param {HTMLElement} place @param {BoardElement} board */
  constructor(place, board) {
    super();
    this.place = place;
    this.board = board;
    this.words = make("p", { class: "laying-out faint", role: "status" }, t("Drawing the board …"));
    place.replaceChildren(board);
    /** @type {string | null} the drawing data that is here, or is being fetched */
    this.url = null;
    /** @type {unknown} */
    this.drawingData = undefined;
    /** @type {Scene | null} what to show when it comes */
    this.scene = null;
    this.retry = 0;
  }

  /** @param {string | null | undefined} url  of the drawing data; none in games without @param {Scene} scene */
  show(url, scene) {
    if (!url) return this.board.show(scene);
    this.scene = scene;
    if (url === this.url) return this.#render();
    clearTimeout(this.retry);
    this.url = url;
    this.drawingData = undefined;
    this.place.append(this.words);
    return this.#fetch(url, FIRST_WAIT_MS);
  }

  #render() {
    if (this.scene && this.drawingData !== undefined) this.board.show({ ...this.scene, drawingData: this.drawingData });
  }

  /** @param {string} url @param {number} waitMs  before asking again */
  async #fetch(url, waitMs) {
    try {
      const drawingData = await get(url);
      if (url !== this.url) return;
      this.drawingData = drawingData;
      this.words.remove();
      this.#tell("");
      this.#render();
    } catch (error) {
      if (url !== this.url) return;
      if (!(error instanceof Refused)) throw error;
      this.#tell(t("The board could not be drawn: {why}. Retrying in {seconds} s.", { why: error.message, seconds: Math.ceil(waitMs / 1000) }));
      this.retry = window.setTimeout(() => this.#fetch(url, Math.min(MAX_WAIT_MS, 2 * waitMs)), waitMs);
    }
  }

  /** @param {string} words */
  #tell(words) {
    this.dispatchEvent(new CustomEvent("trouble", { detail: sentence(words) }));
  }
}
