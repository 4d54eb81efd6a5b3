/** Draws what lies on the regions: the forbidden discs, the stones with their numbers, and a hint. */
import { contextOf, disc, fontOf } from "../board/canvas.js";

/** @import { Palette } from "../board/palette.js" */
/** @import { Stone } from "./pulls.js" */
/** @typedef {{ side: number, ratio: number, size: number, unit: number, palette: Palette }} Sheet  side in CSS pixels; unit: the weight of an ordinary stone */

/** The radius of an ordinary stone, in CSS pixels. @param {number} side @param {number} size */
export function stoneRadius(side, size) {
  return Math.min(40, Math.max(8, side * 0.0145, (0.34 * side) / size));
}

/** @param {number} weight @param {Sheet} sheet */
const radiusOf = (weight, { side, size, unit }) => stoneRadius(side, size) * Math.min(1.8, 0.6 + 0.4 * Math.sqrt(weight / unit));

/** The middle of a cell, in CSS pixels. @param {number} cell @param {Sheet} sheet */
const middle = (cell, { side, size }) => ((cell + 0.5) * side) / size;

/**
 * Shade where no stone may go; overlapping discs are one shape.
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
  const context = contextOf(canvas, sheet, sheet.side);
  stones.forEach((stone, k) => drawStone(context, sheet, stone, k + 1, k === stones.length - 1));
}

/** @param {CanvasRenderingContext2D} context @param {Sheet} sheet @param {Stone} stone @param {number} number @param {boolean} latest */
function drawStone(context, sheet, stone, number, latest) {
  const { palette } = sheet;
  const { mark, ink } = palette.seats[stone.seat];
  const [x, y] = [middle(stone.col, sheet), middle(stone.row, sheet)];
  const radius = radiusOf(stone.weight, sheet);
  if (latest) disc(context, x, y, radius + 4, palette.ink);
  disc(context, x, y, radius + 2, palette.ground);
  disc(context, x, y, radius, mark);
  context.fillStyle = ink;
  context.font = fontOf(Math.round(radius * (number > 99 ? 0.85 : 1.1)));
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const box = context.measureText("0");
  context.fillText(String(number), x, y + box.actualBoundingBoxAscent / 2);
}

/**
 * Mark a cell worth looking at: rings and the gain in words.
 * @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {{ row: number, col: number, seat: number, words: string }} hint
 */
export function drawHint(canvas, sheet, { row, col, seat, words }) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { palette, side } = sheet;
  const [x, y] = [middle(col, sheet), middle(row, sheet)];
  const radius = stoneRadius(side, sheet.size) + 4;
  for (const [width, colour] of /** @type {[number, string][]} */ ([[7, palette.ground], [3, palette.seats[seat].mark]])) {
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
