/** Aiming at focusable marks on a board: the vertices of a graph, or dots. */
import { ARROWS, Aiming } from "./aiming.js";

/** @import { Point, Source } from "./aiming.js" */
/** @import { Marks } from "./marks.js" */
/** @import { Places } from "./places.js" */
/** @typedef {{ mark: number, source: Source }} Spot */
/**
 * @template {{ mark: number | null, source: Source }} [S=Spot]
 * @template {Places} [Layout=Places]
 * @typedef {{ marks: Marks<Layout>, places(): Layout, open(): number[], active(): boolean, aimed(spot: S | null): void, chosen(): boolean }} MarkBoard
 *     open: the marks that can be aimed at
 */

/** Largest distance from which a point still hits a mark, as a multiple of the mean distance between neighbours. */
const REACH = 0.9;

/**
 * @template {{ mark: number | null, source: Source }} [S=Spot]
 * @template {MarkBoard<S>} [Board=MarkBoard<S>]
 * @extends {Aiming<S, Board>}
 */
export class MarkAiming extends Aiming {
  /** @param {HTMLElement} surface @param {Board} board */
  constructor(surface, board) {
    super(surface, board);
    const marked = (/** @type {Event} */ { target }) => (board.active() ? board.marks.markOf(target) : null);
    surface.addEventListener("focusin", (event) => {
      const mark = marked(event);
      if (mark !== null && !this.drag) this.turnTo(this.spotOf(mark, "keys"));
    });
    // Screen readers send a click without pointer events.
    surface.addEventListener("click", (event) => {
      const mark = marked(event);
      if (mark !== null) this.press(mark);
    });
  }

  /** The spot of a mark. @param {number} mark @param {Source} source */
  spotOf(mark, source) {
    return /** @type {S} */ ({ mark, source });
  }

  /** @override @param {Point} point @param {Source} source */
  spotAt(point, source) {
    const places = this.board.places();
    const mark = places.nearest(point, this.board.open(), REACH * places.spacing);
    return mark === null ? null : this.spotOf(mark, source);
  }

  /** @override @param {S} spot @returns {Point} */
  placeOf({ mark }) {
    const [x, y] = this.board.places().places[mark ?? 0];
    return { x, y };
  }

  /** Handle Enter on a mark. @param {number} mark */
  press(mark) {
    this.turnTo(this.spotOf(mark, "keys"));
    this.board.chosen();
  }

  /** Handle Escape: aim at nothing; return whether there was an aim. */
  escape() {
    const isAiming = this.spot !== null;
    if (isAiming) this.aim(null);
    return isAiming;
  }

  /** @override @param {KeyboardEvent} event */
  keyed({ key, target }) {
    const mark = this.board.marks.markOf(target);
    const open = this.board.open();
    if (mark === null) return false;
    if (key in ARROWS) this.go(this.board.places().next(mark, ARROWS[key], open));
    else if (key === "Home") this.go(open[0]);
    else if (key === "End") this.go(open[open.length - 1]);
    else if (key === "Enter" || key === " ") this.press(mark);
    else return key === "Escape" && this.escape();
    return true;
  }

  /** Aim at a mark by keys, and give it the focus; with undefined, aim at nothing. @param {number | undefined} mark */
  go(mark) {
    this.mouse = null;
    this.aim(mark === undefined ? null : this.spotOf(mark, "keys"));
    if (mark !== undefined) this.board.marks.element(mark).focus();
  }
}
