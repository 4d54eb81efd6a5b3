/** A magnified circle over the aim of a finger. */
import { make } from "../base/dom.js";
import { disc } from "./canvas.js";

/** @import { Point } from "./aiming.js" */
/** @typedef {{ canvas: HTMLCanvasElement, margin: number, opacity: number }} Layer  margin: how far it reaches over the board, in CSS pixels */

const SIDE = 128;
const ZOOM = 2.5;
const LIFT = 24;

/** The disc that the loupe covers. @param {Point} aim @param {number} side  of the board, in CSS pixels */
export function loupeDisc({ x, y }, side) {
  const [left, top] = beside(x * side, y * side, side);
  return { x: left + SIDE / 2, y: top + SIDE / 2, radius: SIDE / 2 };
}

export class Loupe {
  canvas = make("canvas", { class: "loupe", "aria-hidden": "true", hidden: true });

  /**
   * @param {Layer[]} layers  drawn in this order @param {Point} aim @param {number} side  of the board, in CSS pixels
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
    for (const { canvas: layer, margin, opacity } of layers.filter((one) => one.canvas.width)) {
      const scale = layer.width / (side + 2 * margin);
      const [left, top] = [x, y].map((at) => (at * side + margin - SIDE / ZOOM / 2) * scale);
      const span = (SIDE / ZOOM) * scale;
      context.globalAlpha = opacity;
      context.drawImage(layer, left, top, span, span, 0, 0, canvas.width, canvas.height);
    }
    context.globalAlpha = 1;
    const middle = (SIDE * ratio) / 2;
    disc(context, middle, middle, 9 * ratio, ground);
    disc(context, middle, middle, 6 * ratio, mark);
    disc(context, middle, middle, 1.5 * ratio, ground);
  }
}

/** Where the loupe lies: above the finger, or near the upper edge beside it. @param {number} x @param {number} y @param {number} side */
function beside(x, y, side) {
  if (y >= SIDE + LIFT) return [Math.min(side - SIDE, Math.max(0, x - SIDE / 2)), y - SIDE - LIFT];
  return [x > side / 2 ? x - SIDE - 2 * LIFT : x + 2 * LIFT, Math.max(0, y - SIDE / 2)];
}
