/** The base of all boards: a square with layers, words beside the aim, and announcements for screen readers. */
import { make, prefersDark, setText } from "../base/dom.js";
import { t } from "../base/words.js";
import { Callout } from "./callout.js";
import { SCALE } from "./marks.js";

/** @import { Aim, Move, Scene } from "../base/types.js" */
/** @import { Point, Source } from "./aiming.js" */
/** @import { Disc } from "./callout.js" */

const SETTLE_MS = 60;

/** Whether the board is shown on a wall, to be read from ten metres. */
export const isWall = () => document.body.classList.contains("wall");

/**
 * The attributes of the element show the board's state to tests and style sheets: data-ply, data-painted (ply of the
 * picture shown), data-state (empty, idle, setup, placing, pending), data-scores, data-cursor (what is aimed at),
 * data-aim (whether that move is legal) and data-gain (what that move takes). The style property `--px` is the length
 * of one CSS pixel in units of the SVG pictures.
 *
 * The board of a game overrides four members: `layers`; `lay`, which prepares for another board; `paint`, which draws
 * all that depends on size, colours and options; and `decision`, which says what move is aimed at.
 * @abstract
 */
export class Board extends HTMLElement {
  /** @type {Scene | null} */
  scene = null;
  /** The viewer's options. @type {Record<string, boolean>} */
  options = {};
  callout = new Callout();
  surface = make("div", { class: "surface", role: "img", "aria-label": t("Board, empty") });
  #voice = make("p", { class: "unseen", "aria-live": "polite" });
  #timer = 0;

  /** From bottom to top. @returns {Element[]} */
  get layers() {
    return [];
  }

  /** @param {number} _side  in CSS pixels */
  paint(_side) {}

  /** Side of the drawn square, in CSS pixels. */
  get side() {
    return this.surface.clientWidth;
  }

  draw() {
    const { scene, side } = this;
    if (!scene || !this.isConnected || !side) return;
    this.style.setProperty("--px", String(SCALE / side));
    this.paint(side);
  }

  /** @param {string} name @param {boolean} on */
  option(name, on) {
    this.options[name] = on;
    this.draw();
  }

  /** Where the pieces of a move lie, in the unit square. @param {Move} _move @returns {[number, number][]} */
  spotsOf(_move) {
    return [];
  }

  /** The move aimed at, and why it is illegal (empty if it is legal); null if nothing is aimed at. @returns {{ move: Move, fault: string } | null} */
  decision() {
    return null;
  }

  connectedCallback() {
    this.className = "board";
    this.surface.replaceChildren(...this.layers, this.callout.label);
    this.replaceChildren(this.surface, this.callout.note, this.#voice);
    this.dataset.state ??= "empty";
    this.stop = new AbortController();
    prefersDark.addEventListener("change", () => this.draw(), { signal: this.stop.signal });
    this.resizes = new ResizeObserver(() => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.draw(), this.dataset.painted ? SETTLE_MS : 0);
    });
    this.resizes.observe(this);
    if (this.scene) this.show(this.scene);
  }

  disconnectedCallback() {
    this.stop?.abort();
    this.resizes?.disconnect();
  }

  /** Prepare for another board: one with other drawing data or another number of players. @param {Scene} _scene */
  lay(_scene) {}

  /** @param {Scene} scene */
  show(scene) {
    const { moves, names, drawingData, placing, interactive = placing, setup } = scene;
    const isOther = this.scene?.drawingData !== drawingData || this.scene?.names.length !== names.length;
    this.scene = scene;
    if (isOther) {
      delete this.dataset.painted;
      this.lay(scene);
    }
    this.dataset.ply = String(moves.length);
    this.dataset.state = setup ? "setup" : placing ? "placing" : "idle";
    this.surface.setAttribute("role", interactive ? "application" : "img");
  }

  /** Whether the viewer may aim: to place a piece, or on the empty board beside the set-up form. */
  get isOpen() {
    return this.dataset.state === "placing" || this.dataset.state === "setup";
  }

  /** The seat to move; 0 if nobody is to move. */
  get seat() {
    return this.scene?.toMove ?? 0;
  }

  /** @param {string} words @param {number[]} scores */
  painted(words, scores) {
    this.surface.setAttribute("aria-label", words);
    this.dataset.painted = this.dataset.ply;
    this.dataset.scores = scores.join(" ");
    this.dispatchEvent(new CustomEvent("painted", { detail: { scores } }));
  }

  /** @param {string} words */
  announce(words) {
    setText(this.#voice, words);
  }

  /** Show at the aim why a move was refused. @param {string} message */
  refuse(message) {
    if (this.dataset.state === "pending") this.dataset.state = "placing";
    this.callout.refuse(message);
  }

  /** Choose the move aimed at; return whether it is legal. */
  choose() {
    const decision = this.dataset.state === "placing" ? this.decision() : null;
    if (!decision) return false;
    if (decision.fault) this.refuse(decision.fault);
    else {
      this.callout.forget();
      this.dataset.state = "pending";
      this.dispatchEvent(new CustomEvent("choose", { detail: { move: decision.move } }));
    }
    return !decision.fault;
  }

  /** Show the aim in the attributes of this element; if the aim has changed, remove the words about an earlier refusal. @param {string} [cursor] @param {string} [aim] @param {number} [gain] */
  note(cursor, aim, gain) {
    if (this.dataset.cursor !== cursor) this.callout.forget();
    for (const [name, value] of Object.entries({ cursor, aim, gain })) {
      if (value === undefined) delete this.dataset[name];
      else this.dataset[name] = String(value);
    }
  }

  /** Clear the aim. */
  unaimed() {
    this.note();
    this.callout.label.hidden = true;
    this.offer(null);
  }

  /** Discs that words beside the aim should not cover. @returns {Disc[]} */
  get pieces() {
    return [];
  }

  /** Place words beside a point. @param {Point} point @param {string} [words] @param {number} [radius]  of what is there, in CSS pixels */
  call({ x, y }, words, radius = 0) {
    const { side } = this;
    if (words !== undefined) this.callout.say(words);
    this.callout.show({ x: x * side, y: y * side, radius }, side, this.pieces);
  }

  /** Offer an aim to the button that confirms a move. A mouse needs no button: its click confirms. @param {Aim | null} aim @param {Source} [source] */
  offer(aim, source) {
    this.dispatchEvent(new CustomEvent("aim", { detail: source === "mouse" ? null : aim }));
  }
}
