/** Circles and arrows over a board. A click draws a circle, a drag draws an arrow; the same click or drag again removes what it drew. */
import { MarkLayer } from "../game/mark-layer.js";

/** @import { BoardElement } from "../base/types.js" */
/** @import { Mark } from "./study-tree.js" */

const CLICK_DISTANCE = 0.03;

export class DrawingLayer {
  /** @param {BoardElement} board @param {(marks: Mark[]) => void} changed */
  constructor(board, changed) {
    this.over = new MarkLayer(board, "study-drawing");
    this.layer = this.over.layer;
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {number[] | null} */
    let from = null;
    this.layer.addEventListener("pointerdown", (event) => (from = this.#at(event)));
    this.layer.addEventListener("pointerup", (event) => {
      if (!from) return;
      const to = this.#at(event);
      const points = Math.hypot(to[0] - from[0], to[1] - from[1]) < CLICK_DISTANCE ? from : [...from, ...to];
      from = null;
      this.#turn({ points });
      changed(this.marks);
    });
  }

  /** Switch drawing on or off: while it is on, clicks and drags reach this layer, not the board. @param {boolean} isOn */
  turn(isOn) {
    this.layer.classList.toggle("on", isOn);
  }

  /** @param {Mark[]} marks */
  show(marks) {
    this.marks = marks;
    this.over.draw(marks.map(({ points, value }) => ({ shape: points.length === 2 ? "circle" : "arrow", points, value })));
  }

  /** @param {PointerEvent} event */
  #at({ clientX, clientY }) {
    const { left, top, width, height } = this.layer.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height].map((share) => Number(Math.min(Math.max(share, 0), 1).toFixed(3)));
  }

  /** @param {Mark} mark */
  #turn(mark) {
    const isSame = (/** @type {Mark} */ { points }) => points.length === mark.points.length && points.every((share, k) => Math.abs(share - mark.points[k]) < CLICK_DISTANCE);
    this.show(this.marks.some(isSame) ? this.marks.filter((other) => !isSame(other)) : [...this.marks, mark]);
  }
}
