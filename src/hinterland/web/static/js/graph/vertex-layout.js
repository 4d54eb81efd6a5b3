/** The places and sizes of a board's vertices, their cells, and the edges that two cells share. */
import { Places } from "../board/places.js";

/** @import { DrawingData } from "./network.js" */
/** @typedef {{ line: [number, number, number, number], cells: [number, number] }} Wall  an edge that two cells share */

const LEAST_RADIUS = 0.2;
/** Half the height of letters, as a share of the board's side. */
const LETTERS = 0.013;
/** @type {[number, number][]} to the right and down */
const SIDES = [[0, 1], [0, -1], [1, 0], [-1, 0]];
/** Largest number of vertices for which `freeSide` looks for room; on larger boards each number is below its vertex. */
const MAX_NUMBERED = 400;

export class VertexLayout extends Places {
  /** @param {Pick<DrawingData, "values" | "places" | "cells" | "radius">} drawingData */
  constructor({ values, places, cells, radius }) {
    super(places);
    this.cells = cells;
    this.vertices = places.map((_, vertex) => vertex);
    const most = values.reduce((a, b) => Math.max(a, b), 1);
    /** Radius of each vertex: areas are proportional to values, but the smallest vertices are still visible. */
    this.radii = values.map((value) => radius * Math.max(LEAST_RADIUS, Math.sqrt(value / most)));
    this.walls = wallsOf(cells);
  }

  /** The side of a vertex with the most room for its number; of equal sides, the one below the vertex. @param {number} vertex @returns {[number, number]}  to the right and down */
  freeSide(vertex) {
    if (this.vertices.length > MAX_NUMBERED) return SIDES[0];
    const [x, y] = this.places[vertex];
    const away = this.radii[vertex] + LETTERS;
    const rooms = SIDES.map(([right, down]) => {
      const [u, v] = [x + 1.3 * right * away, y + down * away];
      if (u < LETTERS || v < LETTERS || u > 1 - LETTERS || v > 1 - LETTERS) return -1;
      const others = this.vertices.filter((other) => other !== vertex);
      return Math.min(LETTERS, ...others.map((other) => Math.hypot(this.places[other][0] - u, this.places[other][1] - v) - this.radii[other]));
    });
    return SIDES[rooms.indexOf(Math.max(...rooms))];
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
