/**
 * What a stone of one seat would take.
 *
 * Let m(x) be the pull of the seat at cell x, and T(x) the greatest pull of any other seat there. A new stone of weight
 * w at c takes x if and only if |x - c|^2 < w / (T - m), that is, if c lies within the *reach* of x. The reach does not
 * depend on c, so it is computed once for each move. A preview then needs one comparison for each cell, and none in a
 * tile that is farther from c than the greatest reach in the tile.
 */
import { TIE } from "./pulls.js";

/** @import { Pulls } from "./pulls.js" */

const TILE = 16;

export class Preview {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    this.tiles = Math.ceil(size / TILE);
    /** The squared reach of each cell for one unit of weight: 0 if the seat owns the cell, Infinity if any new stone takes it. */
    this.reach = new Float64Array(size * size);
    /** The greatest reach in each tile. */
    this.greatest = new Float64Array(this.tiles ** 2);
    /** Number of cells in each tile that the latest previewed stone would take. */
    this.counts = new Int32Array(this.tiles ** 2);
    this.pixels = new Uint32Array(size * size);
    /** The rows that the latest call of `aim` painted: the first row, and the row after the last. */
    this.rows = [0, size];
    this.image = new ImageData(new Uint8ClampedArray(this.pixels.buffer), size, size);
  }

  /** @param {Pulls} pulls @param {number} seat */
  build(pulls, seat) {
    const { size, tiles, reach, greatest } = this;
    const own = pulls.fields[seat];
    const others = pulls.fields.filter((_, k) => k !== seat);
    const adds = pulls.law === "gravity";
    greatest.fill(0);
    for (let i = 0; i < reach.length; i++) {
      let rival = 0;
      for (let k = 0; k < others.length; k++) if (others[k][i] > rival) rival = others[k][i];
      reach[i] = reachOf(own[i], rival, adds);
      const tile = ((i / size / TILE) | 0) * tiles + (((i % size) / TILE) | 0);
      if (reach[i] > greatest[tile]) greatest[tile] = reach[i];
    }
  }

  /**
   * Return how many cells a stone here takes, and paint exactly these cells in the image.
   * @param {number} row @param {number} col @param {number} weight @param {number} colour  RGBA, as one little-endian word
   */
  aim(row, col, weight, colour) {
    const { tiles, greatest, counts } = this;
    let taken = 0;
    this.rows = [this.size, 0];
    for (let tile = 0; tile < counts.length; tile++) {
      const top = Math.floor(tile / tiles) * TILE;
      const left = (tile % tiles) * TILE;
      const isNear = apart(top, row) + apart(left, col) < weight * greatest[tile];
      if (isNear || counts[tile]) {
        counts[tile] = this.#paint(top, left, row, col, weight, colour);
        this.rows = [Math.min(this.rows[0], top), Math.max(this.rows[1], top + TILE)];
      }
      taken += counts[tile];
    }
    return taken;
  }

  /** Paint the cells of a tile that the stone takes, and return their number. @param {number} top @param {number} left @param {number} row @param {number} col @param {number} weight @param {number} colour */
  #paint(top, left, row, col, weight, colour) {
    const { size, reach, pixels } = this;
    const right = Math.min(left + TILE, size);
    const below = Math.min(top + TILE, size);
    let taken = 0;
    for (let r = top; r < below; r++) {
      const dr2 = (r - row) * (r - row);
      for (let c = left, i = r * size + c; c < right; c++, i++) {
        const takes = dr2 + (c - col) * (c - col) < weight * reach[i];
        pixels[i] = takes ? colour : 0;
        if (takes) taken++;
      }
    }
    return taken;
  }
}

/** The squared distance, along one axis, from a cell to the nearest cell of a tile. @param {number} first  cell of the tile @param {number} at */
const apart = (first, at) => Math.max(0, first - at, at - first - TILE + 1) ** 2;

/** @param {number} own @param {number} rival @param {boolean} adds  whether stones of one colour add up */
function reachOf(own, rival, adds) {
  if (rival === Infinity || own === Infinity || own - rival > TIE * own) return 0;
  const lacking = adds ? rival - own : rival;
  if (lacking <= TIE * rival) return Infinity;
  // Subtract the rounding errors of both pulls, so that an exact tie is never taken.
  return (1 / lacking) * (1 - TIE - (1e-15 * (rival + own)) / lacking);
}
