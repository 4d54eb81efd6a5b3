/** A magnified circle over the aim of a finger. */
import { make } from "../base/dom.js";
import { disc } from "./canvas.js";

/** @import { Point } from "./aiming.js" */

const SIDE = 128;
const ZOOM = 2.5;
const LIFT = 24;

export class Loupe {
  canvas = make("canvas", { class: "loupe", "aria-hidden": "true", hidden: true });

  /**
   * @param {HTMLCanvasElement[]} layers  drawn in this order @param {Point} aim @param {number} side  of the board, in CSS pixels
   * @param {{ ground: string, mark: string }} colours
   */
  show(layers, { x, y }, side, { ground, mark }) {
    const ratio = devicePixelRatio || 1;
    const { canvas } = this;
    canvas.hidden = false;
    canvas.width = canvas.height = SIDE * ratio;
    canvas.style.width = canvas.style.height = `${SIDE}px`;
    const [left, top] = beside(x * side, y * side, side);
    canvas.style.transform = `translate(${left}px, ${top}px)`;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const layer of layers.filter(({ width }) => width)) {
      const span = (SIDE / ZOOM / side) * layer.width;
      context.drawImage(layer, x * layer.width - span / 2, y * layer.height - span / 2, span, span, 0, 0, canvas.width, canvas.height);
    }
    const middle = (SIDE * ratio) / 2;
    disc(context, middle, middle, 9 * ratio, ground);
    disc(context, middle, middle, 6 * ratio, mark);
    disc(context, middle, middle, 1.5 * ratio, ground);
  }
}

/** Above the finger; near the upper edge to its side. @param {number} x @param {number} y @param {number} side */
function beside(x, y, side) {
  if (y >= SIDE + LIFT) return [Math.min(side - SIDE, Math.max(0, x - SIDE / 2)), y - SIDE - LIFT];
  return [x > side / 2 ? x - SIDE - 2 * LIFT : x + 2 * LIFT, Math.max(0, y - SIDE / 2)];
}
