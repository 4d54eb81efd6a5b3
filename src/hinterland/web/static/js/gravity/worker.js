/**
 * Keeps the pulls of one board and answers for it: the painted regions, the areas, and what a stone would take, drawn
 * straight onto the preview canvas. The page only ever asks; the newest answer counts.
 */
import { Pulls, Reach, share } from "./field.js";
import { Preview } from "./preview.js";
import { paint } from "./paint.js";

/** @typedef {import("./field.js").Plane} Plane */
/** @typedef {import("./field.js").Stone} Stone */
/** @typedef {import("./paint.js").Look} Look */
/** @typedef {{ type: "canvas", canvas: OffscreenCanvas }} CanvasGiven */
/** @typedef {{ type: "position", serial: number, plane: Plane, stones: Stone[], placer: number | null, colour: number }} PositionAsked */
/** @typedef {{ type: "paint", serial: number, look: Look }} PaintAsked */
/** @typedef {{ type: "preview", about: number, row: number, col: number, weight: number } | { type: "clear" }} PreviewAsked */
/** @typedef {CanvasGiven | PositionAsked | PaintAsked | PreviewAsked} Asked */
/** @typedef {{ type: "painted", serial: number, pixels: number, data: Uint8ClampedArray<ArrayBuffer>, scores: number[] }} Painted */
/** @typedef {{ type: "previewed", about: number, row: number, col: number, weight: number, gain: number, exact: boolean, ms: number }} Previewed */

/** How many numbers are kept for one board: fields and reach together, eight bytes each. */
const MOST_KEPT = 16e6;

/** @type {OffscreenCanvas | null} */
let canvas = null;
/** @type {Pulls | null} */
let pulls = null;
/** @type {Plane | null} */
let plane = null;
/** Every how many cells the pulls are kept: 1 but on boards too large for a browser. */
let step = 1;
/** @type {Stone[]} */
let stones = [];
let owner = new Int8Array(0);
/** @type {number[]} */
let scores = [];
/** @type {Reach | null} */
let reach = null;
/** @type {Preview | null} */
let preview = null;
/** @type {ImageData | null} */
let image = null;

/** @param {Plane} plane */
function stepOf({ size, seats }) {
  return Math.ceil(size / Math.sqrt(MOST_KEPT / (seats + 1)));
}

/** @param {PositionAsked} asked */
function takePosition(asked) {
  const same = plane && plane.size === asked.plane.size && plane.seats === asked.plane.seats && plane.law === asked.plane.law;
  if (!same || !pulls) {
    plane = asked.plane;
    step = stepOf(plane);
    const size = Math.ceil(plane.size / step);
    pulls = new Pulls({ ...plane, size });
    owner = new Int8Array(size ** 2);
    reach = null;
  }
  stones = asked.stones;
  pulls.place(stones.map((stone) => ({ ...stone, row: stone.row / step, col: stone.col / step })));
  scores = share(pulls.fields, owner).map((score) => score * step * step);
  if (asked.placer === null) clearPreview();
  else preparePreview(pulls, asked.placer, asked.colour);
}

/** @param {Pulls} known @param {number} seat @param {number} colour */
function preparePreview(known, seat, colour) {
  clearPreview();
  reach ??= new Reach(known.size);
  reach.build(known, seat);
  preview = new Preview(reach, colour);
  image = new ImageData(new Uint8ClampedArray(preview.pixels.buffer), known.size, known.size);
  if (canvas && canvas.width !== known.size) canvas.width = canvas.height = known.size;
}

function clearPreview() {
  preview?.clear();
  drawPreview();
}

function drawPreview() {
  if (!canvas || !preview || !image) return;
  const [first, count] = preview.band;
  if (count) canvas.getContext("2d")?.putImageData(image, 0, 0, 0, first, image.width, count);
}

/** @param {{ about: number, row: number, col: number, weight: number }} stone */
function takePreview({ about, row, col, weight }) {
  if (!preview) return;
  const start = performance.now();
  const gain = preview.aim(row / step, col / step, weight) * step * step;
  drawPreview();
  postMessage({ type: "previewed", about, row, col, weight, gain, exact: step === 1, ms: performance.now() - start });
}

/** @param {PaintAsked} asked */
function takePaint({ serial, look }) {
  if (!plane) return;
  const data = paint(plane, stones, owner, look);
  postMessage({ type: "painted", serial, pixels: look.pixels, data, scores }, { transfer: [data.buffer] });
}

addEventListener("message", (/** @type {MessageEvent<Asked>} */ { data }) => {
  if (data.type === "canvas") canvas = data.canvas;
  else if (data.type === "position") takePosition(data);
  else if (data.type === "paint") takePaint(data);
  else if (data.type === "preview") takePreview(data);
  else clearPreview();
});
