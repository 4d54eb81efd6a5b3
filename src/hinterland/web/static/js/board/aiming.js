/** @typedef {"mouse" | "touch" | "keys"} Source */
/** @typedef {{ x: number, y: number }} Point  in the unit square, y downwards */

/** A drag shorter than this, in CSS pixels, is a tap. */
const TAP = 8;
/** @type {Record<string, [number, number]>} to the right and down */
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Follows mouse, finger and keys, and tells a board what the person aims at. It knows nothing of rules.
 *
 * A mouse aims by hovering and chooses by a click. A finger aims by a tap and adjusts the aim by dragging: the aim
 * moves as far as the finger does, so the finger need not cover it. A button then chooses the move. Keys move the aim.
 * A subclass says what can be aimed at: it overrides `spotAt`, `placeOf` and `keyed`.
 * @abstract
 * @template {{ source: Source }} Spot
 * @template {{ active(): boolean, aimed(spot: Spot | null): void, chosen(): boolean }} Board
 */
export class Aiming {
  /** @type {Spot | null} */
  spot = null;
  /** @type {{ start: Point, from: Spot | null, moved: boolean } | null} */
  drag = null;
  /** @type {Point | null} where the mouse rests, for when the turn comes */
  mouse = null;

  /** @param {HTMLElement} surface @param {Board} board */
  constructor(surface, board) {
    this.surface = surface;
    this.board = board;
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerdown", (event) => board.active() && this.down(pointOn(surface, event), sourceOf(event)));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", () => (this.drag = null));
    surface.addEventListener("pointerleave", (event) => this.#leave(event));
    surface.addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("focusout", () => this.spot?.source === "keys" && this.aim(null));
  }

  /** The spot that a person aims at by pointing here; null if there is none. @param {Point} _point @param {Source} _source @returns {Spot | null} */
  spotAt(_point, _source) {
    return null;
  }

  /** The place of a spot. @param {Spot} _spot @returns {Point} */
  placeOf(_spot) {
    return { x: 0, y: 0 };
  }

  /** Handle a key; return whether the key has a meaning here. @param {KeyboardEvent} _event @returns {boolean} */
  keyed(_event) {
    return false;
  }

  /** The spot from which keys go on aiming; null if there is none. */
  resumed() {
    return this.spot?.source === "keys" ? this.spot : null;
  }

  /** Restore the aim after the position has changed. */
  renew() {
    if (!this.board.active()) this.aim(null);
    else this.aim(this.mouse ? this.spotAt(this.mouse, "mouse") : this.resumed());
  }

  /** @param {Spot | null} spot */
  aim(spot) {
    this.spot = spot;
    this.board.aimed(spot);
  }

  /** Change the aim. @param {Spot | null} spot */
  turnTo(spot) {
    if (JSON.stringify(spot) !== JSON.stringify(this.spot)) this.aim(spot);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { drag, surface } = this;
    const point = pointOn(surface, event);
    const isMouse = sourceOf(event) === "mouse";
    if (isMouse) this.mouse = point;
    if (!this.board.active()) return;
    if (drag) drag.moved ||= surface.clientWidth * Math.hypot(point.x - drag.start.x, point.y - drag.start.y) > TAP;
    if (drag?.moved) this.dragged(drag, point);
    if (isMouse) this.turnTo(this.spotAt(point, "mouse"));
  }

  /** @param {Point} point @param {Source} source */
  down(point, source) {
    if (source !== "touch") return;
    const aimed = this.spot?.source === "touch" ? this.spot : null;
    this.drag = { start: point, from: aimed ?? this.spotAt(point, source), moved: false };
    if (!aimed) this.aim(this.drag.from);
  }

  /** Move the aim as far as the finger has moved since it touched the board. @param {NonNullable<Aiming<Spot, Board>["drag"]>} drag @param {Point} point */
  dragged({ start, from }, point) {
    if (!from) return;
    const { x, y } = this.placeOf(from);
    const spot = this.spotAt({ x: x + point.x - start.x, y: y + point.y - start.y }, "touch");
    if (spot) this.turnTo(spot);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drag } = this;
    const source = sourceOf(event);
    this.drag = null;
    if (this.board.active() && (source === "touch" || event.button === 0)) this.released(pointOn(this.surface, event), source, drag);
  }

  /** @param {Point} point @param {Source} source @param {Aiming<Spot, Board>["drag"]} drag */
  released(point, source, drag) {
    if (source === "touch" && (!drag || drag.moved)) return;
    this.aim(this.spotAt(point, source));
    if (source === "mouse") this.choose();
  }

  /** Choose what is aimed at. Afterwards the mouse aims at nothing until it moves again. */
  choose() {
    if (this.board.chosen()) this.mouse = null;
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (sourceOf(event) === "touch") return;
    this.mouse = this.drag = null;
    if (this.spot?.source === "mouse") this.aim(null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.board.active() || event.ctrlKey || event.metaKey || event.altKey || !this.keyed(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {PointerEvent} event @returns {Source} */
const sourceOf = ({ pointerType }) => (pointerType === "touch" ? "touch" : "mouse");

/** Where on a board a pointer event happened. @param {HTMLElement} surface @param {PointerEvent} event @returns {Point} */
export function pointOn(surface, { clientX, clientY }) {
  const box = surface.getBoundingClientRect();
  return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
}
