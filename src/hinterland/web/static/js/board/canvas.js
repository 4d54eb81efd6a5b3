/** Canvases that are crisp at any number of device pixels per CSS pixel. */

/** @typedef {{ side: number, ratio: number }} Size  side in CSS pixels */

/** The displayed size of a board. @param {HTMLElement} board @returns {Size} */
export const sizeOf = ({ clientWidth: side }) => ({ side, ratio: devicePixelRatio || 1 });

/** Clear a canvas; return its context, scaled so that `length` units are the side of the canvas. @param {HTMLCanvasElement} canvas @param {Size} size @param {number} length */
export function contextOf(canvas, { side, ratio }, length) {
  const pixels = Math.round(side * ratio);
  if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(pixels / length, 0, 0, pixels / length, 0, 0);
  context.clearRect(0, 0, length, length);
  context.lineCap = context.lineJoin = "round";
  return context;
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius @param {string} colour */
export function disc(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

/** @param {number} pixels */
export const fontOf = (pixels) => `600 ${pixels}px ${getComputedStyle(document.body).fontFamily}`;
