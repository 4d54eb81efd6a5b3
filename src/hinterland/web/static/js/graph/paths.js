/** Shapes of graph boards: paths in the unit square, and patterns as fills. */
import { patternAt, patternPeriod } from "../board/patterns.js";

/** @import { Size } from "../board/canvas.js" */

/** Polygons as one path. @param {Iterable<number[]>} polygons */
export function pathOf(polygons) {
  const path = new Path2D();
  for (const points of polygons) {
    path.moveTo(points[0], points[1]);
    for (let k = 2; k < points.length; k += 2) path.lineTo(points[k], points[k + 1]);
    path.closePath();
  }
  return path;
}

/** Straight lines between places as one path. @param {Iterable<number[]>} pairs @param {[number, number][]} places */
export function linesOf(pairs, places) {
  const path = new Path2D();
  for (const [a, b] of pairs) {
    path.moveTo(places[a][0], places[a][1]);
    path.lineTo(places[b][0], places[b][1]);
  }
  return path;
}

/** @param {CanvasRenderingContext2D} context @param {Path2D} path @param {string} colour @param {number} width @param {number} [opacity] */
export function strokeLines(context, path, colour, width, opacity = 1) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.globalAlpha = opacity;
  context.stroke(path);
  context.globalAlpha = 1;
}

/** Discs as one path. @param {Iterable<number>} vertices @param {[number, number][]} places @param {(vertex: number) => number} radius */
export function discsOf(vertices, places, radius) {
  const path = new Path2D();
  for (const vertex of vertices) {
    const [x, y] = places[vertex];
    path.moveTo(x + radius(vertex), y);
    path.arc(x, y, radius(vertex), 0, 2 * Math.PI);
  }
  return path;
}

/** The pattern of a seat as a fill style, for a canvas whose side is 1. @param {CanvasRenderingContext2D} context @param {number} seat @param {string} colour @param {Size} size */
export function patternFill(context, seat, colour, { side, ratio }) {
  const period = patternPeriod(seat);
  const pixels = Math.round(period * ratio);
  const tile = document.createElement("canvas");
  tile.width = tile.height = pixels;
  const ink = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
  ink.fillStyle = colour;
  for (let y = 0; y < pixels; y++) {
    for (let x = 0; x < pixels; x++) if (patternAt(seat, (x * period) / pixels, (y * period) / pixels)) ink.fillRect(x, y, 1, 1);
  }
  const pattern = /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
  pattern.setTransform(new DOMMatrix().scale(1 / Math.round(side * ratio)));
  return pattern;
}
