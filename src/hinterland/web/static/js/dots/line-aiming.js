/**
 * Aiming at lines between dots.
 *
 * A person aims at a line in one of three ways: clicks its two dots one after the other, drags from one dot to the
 * other, or points at the place of a line that may be drawn.
 */
import { MarkAiming } from "../board/mark-aiming.js";
import { lineOf } from "./dots-position.js";

/** @import { Point, Source } from "../board/aiming.js" */
/** @import { MarkBoard } from "../board/mark-aiming.js" */
/** @import { DotLayout, Line } from "./dot-layout.js" */
/** @typedef {{ mark: number | null, line: Line | null, source: Source }} Spot  mark: a dot */
/** @typedef {MarkBoard<Spot, DotLayout> & { legal(): Line[], missed(point: Point): void }} Board */

/** Largest distance from a dot or a line at which a point still hits it, in CSS pixels. */
const REACH = { mouse: { dot: 16, line: 8 }, touch: { dot: 28, line: 14 }, keys: { dot: 0, line: 0 } };

/** @extends {MarkAiming<Spot, Board>} */
export class LineAiming extends MarkAiming {
  /** @type {number | null} the first of two dots */
  picked = null;

  /** @override */
  renew() {
    const { mark: dot, source } = this.spot ?? {};
    const open = this.board.active() ? this.board.open() : [];
    this.picked = null;
    if (!this.mouse && source === "keys" && typeof dot === "number" && !open.includes(dot)) this.go(open[0]);
    else super.renew();
  }

  /** @override */
  resumed() {
    return this.spot?.source === "keys" ? { ...this.spot, line: null } : null;
  }

  /** @param {number | null} dot @param {Source} source */
  pick(dot, source) {
    this.picked = dot;
    this.aim(dot === null && source !== "keys" ? null : { mark: dot ?? this.spot?.mark ?? null, line: null, source });
  }

  /** @override @param {Point} point @param {Source} source @returns {Spot | null} */
  spotAt(point, source) {
    const layout = this.board.places();
    const side = this.surface.clientWidth;
    const dot = layout.nearest(point, this.board.open(), REACH[source].dot / side);
    if (dot !== null) return this.spotOf(dot, source);
    if (this.picked !== null) return null;
    const line = layout.lineAt(point, this.board.legal(), REACH[source].line / side);
    return line && { mark: null, line, source };
  }

  /** The spot of a dot; if another dot is picked, the spot also holds the line between the two dots. @override @param {number} dot @param {Source} source @returns {Spot} */
  spotOf(dot, source) {
    return { mark: dot, line: this.picked === null || this.picked === dot ? null : lineOf(this.picked, dot), source };
  }

  /** @override @param {Point} point @param {Source} source */
  down(point, source) {
    this.drag = { start: point, from: this.spotAt(point, source), moved: false };
  }

  /** A drag picks the dot on which it began. @override @param {NonNullable<LineAiming["drag"]>} drag @param {Point} point */
  dragged({ from }, point) {
    if (from?.mark === null || !from) return;
    this.picked = from.mark;
    if (from.source === "touch") this.turnTo(this.spotAt(point, "touch"));
  }

  /** @override @param {Point} point @param {Source} source @param {LineAiming["drag"]} drag */
  released(point, source, drag) {
    if (!drag) return;
    const spot = this.spotAt(point, source);
    const isDrag = drag.moved && typeof drag.from?.mark === "number";
    if (!isDrag && spot && spot.mark !== null && !spot.line) return this.pick(this.picked === spot.mark ? null : spot.mark, source);
    if (spot?.line) this.aim(spot);
    else this.pick(null, source);
    if (!spot) this.board.missed(point);
    else if (spot.line && source === "mouse") this.choose();
  }

  /** The first press picks a dot; a press on another dot draws the line between these dots. @override @param {number} dot */
  press(dot) {
    const spot = this.spotOf(dot, "keys");
    if (!spot.line) return this.pick(this.picked === dot ? null : dot, "keys");
    this.aim(spot);
    this.board.chosen();
  }

  /** @override */
  escape() {
    const isPicking = this.picked !== null;
    if (isPicking) this.pick(null, "keys");
    return isPicking;
  }
}
