/** Draws the layers above the regions: the forbidden discs, the stones with their numbers, and a hint. */
import { contextOf, disc, fontOf } from "../board/canvas.js";

/** @import { Palette } from "../board/palette.js" */
/** @import { Stone } from "./pulls.js" */
/** @typedef {{ side: number, margin: number, boldness: number, ratio: number, size: number, unit: number, palette: Palette }} Sheet  side of the cells and margin around them in CSS pixels; unit: the mean weight of a player's stones */

/** Largest radius of a heavy stone, relative to a stone of mean weight. */
const LARGEST = 1.8;
/** Width of the ring around the latest stone, in CSS pixels. */
const RINGS = 4;

/** The radius of a stone of mean weight, as a share of the board's side. */
export const BOLDNESS = 0.0145;

/** The radius of a stone of mean weight, in CSS pixels. @param {number} side @param {number} size @param {number} boldness */
export function stoneRadius(side, size, boldness) {
  return Math.min(40, Math.max(8, side * boldness, (0.34 * side) / size));
}

/** How far a stone at the edge can reach beyond the cells, in CSS pixels. @param {number} side @param {number} size @param {boolean} isWeighted @param {number} boldness */
export function marginOf(side, size, isWeighted, boldness) {
  return Math.ceil(Math.max(0, (isWeighted ? LARGEST : 1) * stoneRadius(side, size, boldness) + RINGS - side / size / 2));
}

/** @param {number} weight @param {Sheet} sheet */
const radiusOf = (weight, { side, size, unit, boldness }) => stoneRadius(side, size, boldness) * Math.min(LARGEST, 0.6 + 0.4 * Math.sqrt(weight / unit));

/** The middle of a cell, in CSS pixels. @param {number} cell @param {Sheet} sheet */
const middle = (cell, { side, size }) => ((cell + 0.5) * side) / size;

/**
 * Shade the cells where no stone may go; all discs are filled as one shape, so that overlaps are not darker.
 * @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {Stone[]} stones @param {number} spacing
 */
export function drawForbidden(canvas, sheet, stones, spacing) {
  const context = contextOf(canvas, sheet, sheet.side);
  const radius = (spacing * sheet.side) / sheet.size;
  context.beginPath();
  for (const { row, col } of stones) {
    context.moveTo(middle(col, sheet) + radius, middle(row, sheet));
    context.arc(middle(col, sheet), middle(row, sheet), radius, 0, 2 * Math.PI);
  }
  context.fillStyle = sheet.palette.ink;
  context.fill();
}

/** @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {Stone[]} stones */
export function drawStones(canvas, sheet, stones) {
  const { side, margin, ratio } = sheet;
  const whole = side + 2 * margin;
  const context = contextOf(canvas, { side: whole, ratio }, whole);
  context.translate(margin, margin);
  stones.forEach((stone, k) => drawStone(context, sheet, stone, k + 1, k === stones.length - 1));
}

/** @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Stone} stone @param {number} number @param {boolean} latest */
function drawStone(context, sheet, stone, number, latest) {
  const { palette } = sheet;
  const colours = palette.seats[stone.seat];
  const [x, y] = [middle(stone.col, sheet), middle(stone.row, sheet)];
  const radius = radiusOf(stone.weight, sheet);
  if (latest) disc(context, x, y, radius + RINGS, palette.ink);
  disc(context, x, y, radius + 2, palette.ground);
  disc(context, x, y, radius, colours.stone);
  context.fillStyle = colours.ink;
  context.font = fontOf(Math.round(radius * (number > 99 ? 0.85 : 1.1)));
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const box = context.measureText("0");
  context.fillText(String(number), x, y + box.actualBoundingBoxAscent / 2);
}

/**
 * Mark the cell of a hint with a ring, and write the gain beside it.
 * @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {{ row: number, col: number, seat: number, words: string }} hint
 */
export function drawHint(canvas, sheet, { row, col, seat, words }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { palette, side } = sheet;
  const [x, y] = [middle(col, sheet), middle(row, sheet)];
  const radius = stoneRadius(side, sheet.size, sheet.boldness) + 4;
  for (const [width, colour] of /** @type {[number, string][]} */ ([[7, palette.ground], [3, palette.seats[seat].stone]])) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
  context.font = fontOf(Math.max(14, side * 0.02));
  context.textAlign = x > side / 2 ? "right" : "left";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = palette.ground;
  context.fillStyle = palette.ink;
  const at = x > side / 2 ? x - radius - 8 : x + radius + 8;
  context.strokeText(words, at, y);
  context.fillText(words, at, y);
}
