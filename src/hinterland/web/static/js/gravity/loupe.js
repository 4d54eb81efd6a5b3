/** A magnified circle over the aim of a finger. */
import { make } from "../dom.js";

const SIDE = 128;
const ZOOM = 2.5;
const LIFT = 24;

export class Loupe {
  /** @param {HTMLCanvasElement[]} layers  drawn in this order */
  constructor(layers) {
    this.layers = layers;
    this.canvas = make("canvas", { class: "loupe", "aria-hidden": "true", hidden: true });
  }

  hide() {
    this.canvas.hidden = true;
  }

  /**
   * @param {number} x @param {number} y  the aim, in CSS pixels of the board
   * @param {number} side  of the board
   * @param {{ ground: string, mark: string }} colours
   */
  show(x, y, side, { ground, mark }) {
    const ratio = devicePixelRatio || 1;
    const { canvas } = this;
    canvas.hidden = false;
    canvas.width = canvas.height = SIDE * ratio;
    canvas.style.width = canvas.style.height = `${SIDE}px`;
    const [left, top] = beside(x, y, side);
    canvas.style.transform = `translate(${left}px, ${top}px)`;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const layer of this.layers) this.#draw(context, layer, x / side, y / side, (SIDE / ZOOM / side) * layer.width);
    this.#cross(context, ratio, mark, ground);
  }

  /** @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} layer @param {number} x @param {number} y @param {number} span */
  #draw(context, layer, x, y, span) {
    if (!layer.width) return;
    context.drawImage(layer, x * layer.width - span / 2, y * layer.height - span / 2, span, span, 0, 0, context.canvas.width, context.canvas.height);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} ratio @param {string} mark @param {string} ground */
  #cross(context, ratio, mark, ground) {
    const middle = (SIDE * ratio) / 2;
    for (const [radius, colour] of /** @type {[number, string][]} */ ([[9, ground], [6, mark], [1.5, ground]])) {
      context.beginPath();
      context.arc(middle, middle, radius * ratio, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
    }
  }
}

/** Above the finger; near the upper edge to its side. @param {number} x @param {number} y @param {number} side */
function beside(x, y, side) {
  if (y >= SIDE + LIFT) return [Math.min(side - SIDE, Math.max(0, x - SIDE / 2)), y - SIDE - LIFT];
  return [x > side / 2 ? x - SIDE - 2 * LIFT : x + 2 * LIFT, Math.max(0, y - SIDE / 2)];
}
