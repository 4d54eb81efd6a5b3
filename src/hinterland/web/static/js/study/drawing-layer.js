/** Circles and arrows over a board. A click draws a circle, a drag draws an arrow; the same click or drag again removes what it drew. */
import { draw } from "../base/dom.js";

/** @import { Mark } from "./study-tree.js" */

const CLICK_DISTANCE = 0.03;
const RADIUS = 0.028;
const HEAD = 0.03;

export class DrawingLayer {
  /** @param {HTMLElement} place @param {(marks: Mark[]) => void} changed */
  constructor(place, changed) {
    this.layer = draw("svg", { class: "drawing", viewBox: "0 0 1 1", "aria-hidden": "true" });
    this.place = place;
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {number[] | null} */
    let from = null;
    this.layer.addEventListener("pointerdown", (event) => (from = this.#at(event)));
    this.layer.addEventListener("pointerup", (event) => {
      if (!from) return;
      const to = this.#at(event);
      const mark = Math.hypot(to[0] - from[0], to[1] - from[1]) < CLICK_DISTANCE ? from : [...from, ...to];
      from = null;
      this.#turn(mark);
      changed(this.marks);
    });
    place.append(this.layer);
  }

  /** Switch drawing on or off: while it is on, clicks and drags reach this layer, not the board. @param {boolean} isOn */
  turn(isOn) {
    this.layer.classList.toggle("on", isOn);
  }

  /** @param {Mark[]} marks */
  show(marks) {
    this.marks = marks;
    if (!this.layer.isConnected) this.place.append(this.layer);
    this.layer.replaceChildren(...marks.map((mark) => (mark.length === 2 ? circle(mark) : arrow(mark))));
  }

  /** @param {PointerEvent} event */
  #at({ clientX, clientY }) {
    const { left, top, width, height } = this.layer.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height].map((share) => Number(share.toFixed(3)));
  }

  /** @param {Mark} mark */
  #turn(mark) {
    const isSame = (/** @type {Mark} */ other) => other.length === mark.length && other.every((share, k) => Math.abs(share - mark[k]) < CLICK_DISTANCE);
    this.show(this.marks.some(isSame) ? this.marks.filter((other) => !isSame(other)) : [...this.marks, mark]);
  }
}

/** @param {Mark} mark */
const circle = ([x, y]) => draw("circle", { cx: x, cy: y, r: RADIUS });

/** @param {Mark} mark */
function arrow([x, y, toX, toY]) {
  const angle = Math.atan2(toY - y, toX - x);
  const wing = (/** @type {number} */ turn) => `${toX - HEAD * Math.cos(angle + turn)} ${toY - HEAD * Math.sin(angle + turn)}`;
  return draw("path", { d: `M${x} ${y}L${toX} ${toY}M${wing(0.5)}L${toX} ${toY}L${wing(-0.5)}` });
}
