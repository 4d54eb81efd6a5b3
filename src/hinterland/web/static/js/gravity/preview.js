import { TILE } from "./field.js";

/** @typedef {import("./field.js").Reach} Reach */

/** What a stone would take, tile by tile, remembered between two calls so that only what changed is drawn again. */
export class Preview {
  /** @param {Reach} reach @param {number} colour  the RGBA of a taken cell, as one little-endian word */
  constructor(reach, colour) {
    this.reach = reach;
    this.colour = colour;
    this.pixels = new Uint32Array(reach.size * reach.size);
    /** 0 nothing drawn, 1 all open cells drawn, 2 some */
    this.drawn = new Uint8Array(reach.tiles * reach.tiles);
    this.near = [new Float64Array(reach.tiles), new Float64Array(reach.tiles)];
    this.far = [new Float64Array(reach.tiles), new Float64Array(reach.tiles)];
    /** first and last tile row drawn on by the latest call */
    this.touched = [0, 0];
  }

  /**
   * How many cells a stone here takes; their pixels are set, all others cleared.
   * @param {number} row @param {number} col @param {number} weight
   */
  aim(row, col, weight) {
    const { tiles, least, greatest, open } = this.reach;
    [row, col].forEach((at, axis) => this.#measure(at, axis));
    this.touched = [tiles, -1];
    let taken = 0;
    for (let y = 0, tile = 0; y < tiles; y++) {
      for (let x = 0; x < tiles; x++, tile++) {
        const near = this.near[0][y] + this.near[1][x];
        const far = this.far[0][y] + this.far[1][x];
        if (near >= weight * greatest[tile]) this.#wipe(tile, y, x);
        else if (far < weight * least[tile]) {
          this.#fill(tile, y, x);
          taken += open[tile];
        } else taken += this.#test(tile, y, x, row, col, weight);
      }
    }
    return taken;
  }

  /** Take the preview off again. */
  clear() {
    const { tiles } = this.reach;
    this.touched = [tiles, -1];
    for (let tile = 0; tile < this.drawn.length; tile++) this.#wipe(tile, Math.floor(tile / tiles), tile % tiles);
  }

  /** Squared distances along one axis to the nearest and the farthest cell of every tile. @param {number} at @param {number} axis */
  #measure(at, axis) {
    const { size, tiles } = this.reach;
    for (let k = 0; k < tiles; k++) {
      const first = k * TILE;
      const last = Math.min(first + TILE, size) - 1;
      const near = at < first ? first - at : at > last ? at - last : 0;
      const far = Math.max(Math.abs(at - first), Math.abs(at - last));
      this.near[axis][k] = near * near;
      this.far[axis][k] = far * far;
    }
  }

  /** @param {number} y */
  #touch(y) {
    if (y < this.touched[0]) this.touched[0] = y;
    if (y > this.touched[1]) this.touched[1] = y;
  }

  /** @param {number} tile @param {number} y @param {number} x */
  #wipe(tile, y, x) {
    if (this.drawn[tile] === 0) return;
    this.drawn[tile] = 0;
    this.#touch(y);
    this.#each(y, x, (from, to) => this.pixels.fill(0, from, to));
  }

  /** @param {number} tile @param {number} y @param {number} x */
  #fill(tile, y, x) {
    if (this.drawn[tile] === 1) return;
    this.drawn[tile] = 1;
    this.#touch(y);
    const { squared } = this.reach;
    this.#each(y, x, (from, to) => {
      for (let i = from; i < to; i++) this.pixels[i] = squared[i] > 0 ? this.colour : 0;
    });
  }

  /** @param {number} tile @param {number} y @param {number} x @param {number} row @param {number} col @param {number} weight */
  #test(tile, y, x, row, col, weight) {
    const { size, squared } = this.reach;
    const { pixels, colour } = this;
    const right = Math.min((x + 1) * TILE, size);
    const below = Math.min((y + 1) * TILE, size);
    let taken = 0;
    for (let r = y * TILE; r < below; r++) {
      const dr2 = (r - row) * (r - row);
      for (let c = x * TILE, i = r * size + c; c < right; c++, i++) {
        const takes = dr2 + (c - col) * (c - col) < weight * squared[i];
        pixels[i] = takes ? colour : 0;
        if (takes) taken++;
      }
    }
    this.drawn[tile] = 2;
    this.#touch(y);
    return taken;
  }

  /** Call with the range of pixels of each row of a tile. @param {number} y @param {number} x @param {(from: number, to: number) => void} act */
  #each(y, x, act) {
    const { size } = this.reach;
    const below = Math.min((y + 1) * TILE, size);
    const width = Math.min(TILE, size - x * TILE);
    for (let r = y * TILE; r < below; r++) act(r * size + x * TILE, r * size + x * TILE + width);
  }

  /** The band of pixel rows that the latest call changed: [first, count]. */
  get band() {
    const [first, last] = this.touched;
    if (last < first) return [0, 0];
    return [first * TILE, Math.min((last + 1) * TILE, this.reach.size) - first * TILE];
  }
}
