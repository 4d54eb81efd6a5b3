/** Aiming at cells. Arrow keys move the aim; held down, they move it faster. */
import { ARROWS, Aiming } from "../board/aiming.js";

/** @import { Point, Source } from "../board/aiming.js" */
/** @typedef {{ row: number, col: number, source: Source }} Spot */
/** @typedef {{ size(): number, active(): boolean, aimed(spot: Spot | null): void, chosen(): boolean }} Board */

/** @extends {Aiming<Spot, Board>} */
export class CellAiming extends Aiming {
  /** Repeats of a held key. */
  held = 0;
  /** @type {Spot | null} where the aim was last: keys go on from there */
  latest = null;

  /** @param {HTMLElement} surface @param {Board} board */
  constructor(surface, board) {
    super(surface, board);
    surface.addEventListener("keyup", () => (this.held = 0));
  }

  /** @override @param {Spot | null} spot */
  aim(spot) {
    if (spot) this.latest = spot;
    super.aim(spot);
  }

  /** @override */
  resumed() {
    return document.activeElement === this.surface && this.surface.matches(":focus-visible") ? this.#resume() : null;
  }

  #resume() {
    const middle = Math.floor(this.board.size() / 2);
    return this.#spot(this.latest?.row ?? middle, this.latest?.col ?? middle, "keys");
  }

  /** @override @param {Point} point @param {Source} source */
  spotAt({ x, y }, source) {
    const size = this.board.size();
    return this.#spot(Math.floor(y * size), Math.floor(x * size), source);
  }

  /** @override @param {Spot} spot @returns {Point} */
  placeOf({ row, col }) {
    const size = this.board.size();
    return { x: (col + 0.5) / size, y: (row + 0.5) / size };
  }

  /** @override @param {KeyboardEvent} event */
  keyed(event) {
    if (event.key in ARROWS) this.#step(ARROWS[event.key], event);
    else if (event.key === "Enter" && this.spot) this.board.chosen();
    else if (event.key === "Enter") this.aim(this.#resume());
    else if (event.key === "Escape" && this.spot) this.aim(null);
    else return false;
    return true;
  }

  /** @param {[number, number]} direction @param {KeyboardEvent} event */
  #step([right, down], event) {
    if (!this.spot) return this.aim(this.#resume());
    const size = this.board.size();
    this.held = event.repeat ? this.held + 1 : 0;
    const quick = Math.min(Math.ceil(size / 100), 1 + Math.floor(this.held / 4));
    const step = event.shiftKey ? Math.max(2, Math.round(size / 20)) : quick;
    return this.aim(this.#spot(this.spot.row + down * step, this.spot.col + right * step, "keys"));
  }

  /** The nearest cell of the board. @param {number} row @param {number} col @param {Source} source @returns {Spot} */
  #spot(row, col, source) {
    const last = this.board.size() - 1;
    const keep = (/** @type {number} */ at) => Math.min(last, Math.max(0, at));
    return { row: keep(row), col: keep(col), source };
  }
}
