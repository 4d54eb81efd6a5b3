/**
 * A board and the drawing data it cannot be drawn without: shows a scene as soon as its drawing data is here.
 *
 * Drawing data is fetched once an address. What does not come is asked for again; until it is here the place says so quietly.
 * Event: `trouble` (detail: words for a banner, empty when it is over).
 */
import { Refused, get } from "./api.js";
import { make } from "./dom.js";
import { sentence } from "./format.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").BoardElement} BoardElement */

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 10_000;

export class Stage extends EventTarget {
  /** @param {HTMLElement} place @param {BoardElement} board */
  constructor(place, board) {
    super();
    this.place = place;
    this.board = board;
    this.words = make("p", { class: "laying-out faint", role: "status" });
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
    if (url !== this.url) this.#turnTo(url);
    return this.#render();
  }

  /** @param {string} url */
  #turnTo(url) {
    clearTimeout(this.retry);
    this.url = url;
    this.drawingData = undefined;
    this.#say("Laying out the board …");
    this.#fetch(url, FIRST_WAIT_MS);
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
      this.#say("");
      this.#tell("");
      this.#render();
    } catch (error) {
      if (url !== this.url) return;
      if (!(error instanceof Refused)) throw error;
      this.#tell(`The board could not be laid out: ${error.message}. Trying again in ${Math.ceil(waitMs / 1000)} s.`);
      this.retry = window.setTimeout(() => this.#fetch(url, Math.min(MOST_WAIT_MS, 2 * waitMs)), waitMs);
    }
  }

  /** @param {string} words */
  #say(words) {
    this.words.textContent = words;
    this.place.toggleAttribute("data-waiting", words !== "");
    if (words) this.place.append(this.words);
    else this.words.remove();
  }

  /** @param {string} detail */
  #tell(detail) {
    this.dispatchEvent(new CustomEvent("trouble", { detail: sentence(detail) }));
  }
}
