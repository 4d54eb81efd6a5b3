/** Where a board's vertices lie: which one is meant by a point, which comes next in a direction, where cells meet. */

/** @typedef {import("./network.js").DrawingData} DrawingData */
/** @typedef {{ x: number, y: number }} Point  in the unit square, y downwards */
/** @typedef {{ line: [number, number, number, number], cells: [number, number] }} Wall  an edge that two cells share */

/** How far beside its cell a vertex can still be meant, in mean spacings. */
const REACH = 0.9;
const LEAST_RADIUS = 0.2;

export class Plan {
  /** @param {Pick<DrawingData, "values" | "places" | "cells" | "radius">} drawingData */
  constructor({ values, places, cells, radius }) {
    this.places = places;
    this.cells = cells;
    this.spacing = 1 / Math.sqrt(places.length);
    const most = values.reduce((a, b) => Math.max(a, b), 1);
    /** Areas are as values; the least can still be seen. */
    this.radii = values.map((value) => radius * Math.max(LEAST_RADIUS, Math.sqrt(value / most)));
    this.radius = radius;
    this.walls = wallsOf(cells);
  }

  /** The vertex nearest to a point, or null where none is near. @param {Point} point */
  at({ x, y }) {
    let best = -1;
    let least = (REACH * this.spacing) ** 2;
    this.places.forEach(([px, py], k) => {
      const apart = (px - x) ** 2 + (py - y) ** 2;
      if (apart > least) return;
      least = apart;
      best = k;
    });
    return best < 0 ? null : best;
  }

  /** The vertex that comes next in a direction; the same one where there is none. @param {number} from @param {[number, number]} direction */
  next(from, [right, down]) {
    const [x, y] = this.places[from];
    let best = from;
    let least = Infinity;
    this.places.forEach(([px, py], k) => {
      const ahead = (px - x) * right + (py - y) * down;
      const beside = Math.abs((px - x) * down - (py - y) * right);
      if (ahead <= 0 || k === from) return;
      const cost = Math.hypot(ahead, beside) + (beside > ahead ? 4 : 1) * beside;
      if (cost >= least) return;
      least = cost;
      best = k;
    });
    return best;
  }
}

/** @param {number[][]} cells @returns {Wall[]} */
function wallsOf(cells) {
  /** @type {Map<string, { line: [number, number, number, number], cell: number }>} */
  const open = new Map();
  /** @type {Wall[]} */
  const walls = [];
  cells.forEach((polygon, cell) => {
    for (let k = 0; k < polygon.length; k += 2) {
      const [x0, y0] = [polygon[k], polygon[k + 1]];
      const [x1, y1] = [polygon[(k + 2) % polygon.length], polygon[(k + 3) % polygon.length]];
      const key = x0 < x1 || (x0 === x1 && y0 < y1) ? `${x0},${y0},${x1},${y1}` : `${x1},${y1},${x0},${y0}`;
      const other = open.get(key);
      if (other) walls.push({ line: other.line, cells: [other.cell, cell] });
      else open.set(key, { line: [x0, y0, x1, y1], cell });
    }
  });
  return walls;
}
