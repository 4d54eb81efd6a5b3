/**
 * A worker that keeps the pulls of one board. On request it paints the regions, counts the areas, and draws what a
 * stone would take straight onto the preview canvas. The page does not wait for it; only the newest answer counts.
 */
import { paint } from "./paint.js";
import { Preview } from "./preview.js";
import { Pulls, share } from "./pulls.js";

/** @import { Look } from "./paint.js" */
/** @import { Plane, Stone } from "./pulls.js" */
/** @typedef {{ type: "canvas", canvas: OffscreenCanvas }} CanvasGiven */
/** @typedef {{ type: "position", plane: Plane, stones: Stone[], placer: number | null, colour: number }} PositionAsked */
/** @typedef {{ type: "preview", about: number, row: number, col: number, weight: number }} PreviewAsked  about: which position */
/** @typedef {CanvasGiven | PositionAsked | { type: "paint", look: Look } | PreviewAsked | { type: "clear" }} Asked */
/** @typedef {{ type: "painted", pixels: number, data: Uint8ClampedArray<ArrayBuffer>, scores: number[] }} Painted */
/** @typedef {Omit<PreviewAsked, "type"> & { type: "previewed", gain: number, exact: boolean }} Previewed */

/** Most numbers cached for one board, in its fields and its preview together; a number has eight bytes. */
const MAX_CACHED_NUMBERS = 16e6;

/** @type {OffscreenCanvas | null} */
let canvas = null;
/** @type {ReturnType<typeof boardOf> | null} */
let board = null;

/** @param {Plane} plane */
function boardOf(plane) {
  // Pulls are cached for every `step`th row and column; `step` is 1 except on boards too large for a browser.
  const step = Math.ceil(plane.size / Math.sqrt(MAX_CACHED_NUMBERS / (plane.seats + 1)));
  const size = Math.ceil(plane.size / step);
  return {
    plane,
    step,
    pulls: new Pulls({ ...plane, size }),
    owner: new Int8Array(size ** 2),
    preview: /** @type {Preview | null} for who places */ (null),
    asked: /** @type {PositionAsked | null} */ (null),
    scores: /** @type {number[]} */ ([]),
  };
}

/** @param {PositionAsked} asked */
function takePosition(asked) {
  const { plane, stones, placer } = asked;
  if (JSON.stringify(plane) !== JSON.stringify(board?.plane)) board = null;
  board ??= boardOf(plane);
  const { pulls, owner, step } = board;
  pulls.place(stones.map((stone) => ({ ...stone, row: stone.row / step, col: stone.col / step })));
  board.asked = asked;
  board.scores = share(pulls.fields, owner).map((score) => score * step * step);
  if (canvas) canvas.width = canvas.height = placer === null ? 1 : pulls.size;
  if (placer !== null) (board.preview ??= new Preview(pulls.size)).build(pulls, placer);
}

/** @param {PreviewAsked} asked */
function takePreview({ about, row, col, weight }) {
  if (!board?.asked || !board.preview) return;
  const { preview, step, asked } = board;
  const gain = preview.aim(row / step, col / step, weight, asked.colour) * step * step;
  const [first, end] = preview.rows;
  canvas?.getContext("2d")?.putImageData(preview.image, 0, 0, 0, first, preview.size, end - first);
  postMessage({ type: "previewed", about, row, col, weight, gain, exact: step === 1 });
}

/** @param {Look} look */
function takePaint(look) {
  if (!board?.asked) return;
  const data = paint(board.plane, board.asked.stones, board.owner, look);
  postMessage({ type: "painted", pixels: look.pixels, data, scores: board.scores }, { transfer: [data.buffer] });
}

addEventListener("message", (/** @type {MessageEvent<Asked>} */ { data }) => {
  if (data.type === "canvas") canvas = data.canvas;
  else if (data.type === "position") takePosition(data);
  else if (data.type === "paint") takePaint(data.look);
  else if (data.type === "preview") takePreview(data);
  else canvas?.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
});
