/**
 * Paints a position pixel by pixel; needs no DOM, so it can run in a worker.
 *
 * Pulls are evaluated at each pixel, so that lines stay thin and smooth at any resolution. The frontier lies where the
 * two greatest pulls are equal; its distance from a pixel is the difference of the two pulls divided by the slope of
 * that difference. Contours are drawn in the same way. If cells are large enough to be seen, each is drawn as a square
 * in its owner's colour.
 */
import { NOBODY } from "./pulls.js";
import { patternAt } from "../board/patterns.js";

/** @import { Plane, Stone } from "./pulls.js" */
/** @import { Rgb } from "../board/palette.js" */
/**
 * regions, marks: a colour for each seat; pixels: the side of the picture; ratio: device pixels per CSS pixel.
 * @typedef {{ pixels: number, ratio: number, regions: Rgb[], marks: Rgb[], ground: Rgb, hatch: Rgb, contours: boolean, contest: boolean, patterns: boolean }} Look
 */

/** Smallest side of a cell, in device pixels, at which it is drawn as a square. */
export const SQUARE_FROM = 3;
/** The frontier glows where the two greatest pulls differ by less than this share of their sum. */
const CONTEST = 0.25;

/**
 * @param {Plane} plane @param {Stone[]} stones @param {Int8Array} owner  of every cell, exact
 * @param {Look} look
 * @returns {Uint8ClampedArray<ArrayBuffer>} RGBA
 */
export function paint(plane, stones, owner, look) {
  const { pixels } = look;
  const out = new Uint8ClampedArray(pixels * pixels * 4);
  const lines = new Lines(plane, stones, pixels);
  const cells = pixels / plane.size >= SQUARE_FROM ? new Squares(plane.size, owner, look) : null;
  const ink = new Ink(look, stones.length > 0);
  let above = lines.at(0);
  for (let y = 0; y < pixels; y++) {
    const below = lines.at(y + 1);
    for (let x = 0, at = y * pixels * 4; x < pixels; x++, at += 4) ink.pixel(out, at, x, y, above, below, cells);
    above = below;
  }
  return out;
}

/** @typedef {{ pulls: Float64Array[], level: Float64Array }} Line  the pulls along one row of pixels, and log2 of the greatest */

/** Evaluates the pulls along one row of pixels at a time, and keeps the last two rows. */
class Lines {
  /** @param {Plane} plane @param {Stone[]} stones @param {number} pixels */
  constructor(plane, stones, pixels) {
    this.plane = plane;
    this.stones = stones;
    this.pixels = pixels;
    this.scale = plane.size / pixels;
    /** @type {Line[]} */
    this.pair = [0, 1].map(() => ({
      pulls: Array.from({ length: plane.seats }, () => new Float64Array(pixels + 1)),
      level: new Float64Array(pixels + 1),
    }));
  }

  /** @param {number} y @returns {Line} */
  at(y) {
    const line = this.pair[y & 1];
    const row = (y + 0.5) * this.scale - 0.5;
    for (const pulls of line.pulls) pulls.fill(0);
    for (const stone of this.stones) this.#add(line.pulls[stone.seat], stone, (row - stone.row) ** 2 + 1e-6);
    for (let x = 0; x <= this.pixels; x++) {
      let best = 0;
      for (const pulls of line.pulls) if (pulls[x] > best) best = pulls[x];
      line.level[x] = Math.log2(best);
    }
    return line;
  }

  /** @param {Float64Array} pulls @param {Stone} stone @param {number} dr2 */
  #add(pulls, { col, weight }, dr2) {
    const { scale } = this;
    const strongest = this.plane.law === "nearest";
    const start = 0.5 * scale - 0.5 - col;
    for (let x = 0; x < pulls.length; x++) {
      const dc = start + x * scale;
      const pull = weight / (dr2 + dc * dc);
      if (!strongest) pulls[x] += pull;
      else if (pull > pulls[x]) pulls[x] = pull;
    }
  }
}

/** Finds the exact owner of the cell under a pixel, on boards with visible cells. */
class Squares {
  /** @param {number} size @param {Int8Array} owner @param {Look} look */
  constructor(size, owner, { pixels, ratio }) {
    this.size = size;
    this.owner = owner;
    this.cell = Int32Array.from({ length: pixels + 4 }, (_, x) => Math.min(size - 1, Math.floor((x * size) / pixels)));
    this.line = Math.max(1, Math.round(ratio));
    this.grid = pixels / size >= 12 * ratio;
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.owner[this.cell[y] * this.size + this.cell[x]];
  }

  /** Whether the pixel lies on the edge towards a cell of another owner. @param {number} x @param {number} y */
  isFrontier(x, y) {
    const who = this.at(x, y);
    return this.at(x + this.line, y) !== who || this.at(x, y + this.line) !== who;
  }

  /** @param {number} x @param {number} y */
  isGrid(x, y) {
    return this.grid && (this.cell[x] !== this.cell[x + this.line] || this.cell[y] !== this.cell[y + this.line]);
  }
}

/** Colours one pixel by the pulls at this pixel, at the pixel to its right, and at the pixel below it. */
class Ink {
  /** @param {Look} look @param {boolean} claimed  whether there is any stone */
  constructor(look, claimed) {
    this.look = look;
    this.claimed = claimed;
    this.frontier = 0.6 * look.ratio;
    this.contour = 0.5 * look.ratio;
  }

  /**
   * @param {Uint8ClampedArray} out @param {number} at @param {number} x @param {number} y
   * @param {Line} here @param {Line} below @param {Squares | null} cells
   */
  pixel(out, at, x, y, here, below, cells) {
    const { look } = this;
    let first = 0;
    let second = -1;
    let best = -1;
    let next = 0;
    for (let seat = 0; seat < here.pulls.length; seat++) {
      const pull = here.pulls[seat][x];
      if (pull > best) {
        next = best;
        second = best < 0 ? -1 : first;
        best = pull;
        first = seat;
      } else if (pull > next || second < 0) {
        next = pull;
        second = seat;
      }
    }
    const who = cells ? cells.at(x, y) : this.claimed ? first : NOBODY;
    this.#base(out, at, x, y, who);
    if (!this.claimed) return;
    if (look.contours) this.#contour(out, at, x, here, below, who);
    if (cells?.isGrid(x, y)) blend(out, at, look.ground, 0.25);
    if (second >= 0 && next > 0) this.#margin(out, at, x, here, below, first, second, who, cells?.isFrontier(x, y));
  }

  /** @param {Uint8ClampedArray} out @param {number} at @param {number} x @param {number} y @param {number} who */
  #base(out, at, x, y, who) {
    const { look } = this;
    blend(out, at, who === NOBODY ? look.ground : look.regions[who], 1);
    out[at + 3] = 255;
    const u = x / look.ratio;
    const v = y / look.ratio;
    if (who === NOBODY) {
      if ((u + v) % 8 < 1.5) blend(out, at, look.hatch, 0.6);
    } else if (look.patterns && patternAt(who, u, v)) blend(out, at, look.marks[who], 0.45);
  }

  /** @param {Uint8ClampedArray} out @param {number} at @param {number} x @param {Line} here @param {Line} below @param {number} who */
  #contour(out, at, x, here, below, who) {
    if (who === NOBODY) return;
    const level = here.level[x];
    const dx = here.level[x + 1] - level;
    const dy = below.level[x] - level;
    const slope = Math.sqrt(dx * dx + dy * dy);
    const distance = Math.abs(level - Math.round(level)) / slope;
    const cover = this.contour + 0.5 - distance;
    if (cover <= 0) return;
    const crowded = 1 - slope * 7 * this.look.ratio;
    if (crowded > 0) blend(out, at, this.look.marks[who], 0.3 * Math.min(1, cover) * Math.min(1, 2 * crowded));
  }

  /**
   * Draw the glow along the frontier, and the line where two pulls are equal.
   * @param {Uint8ClampedArray} out @param {number} at @param {number} x @param {Line} here @param {Line} below
   * @param {number} a @param {number} b @param {number} who @param {boolean} [edge]  known where cells are squares
   */
  #margin(out, at, x, here, below, a, b, who, edge) {
    const { look } = this;
    const margin = difference(here, a, b, x);
    if (look.contest && who !== NOBODY && margin < CONTEST) {
      const glow = 1 - margin / CONTEST;
      blend(out, at, look.marks[who], 0.5 * glow * glow * glow);
    }
    if (edge !== undefined) {
      if (edge) blend(out, at, look.ground, 1);
      return;
    }
    if (margin > 0.5) return;
    const dx = difference(here, a, b, x + 1) - margin;
    const dy = difference(below, a, b, x) - margin;
    const cover = this.frontier + 0.5 - margin / Math.sqrt(dx * dx + dy * dy);
    if (cover > 0) blend(out, at, look.ground, Math.min(1, cover));
  }
}

/** The pull of seat a minus that of seat b, divided by their sum: 0 on the frontier. @param {Line} line @param {number} a @param {number} b @param {number} x */
function difference(line, a, b, x) {
  const p = line.pulls[a][x];
  const q = line.pulls[b][x];
  return (p - q) / (p + q);
}

/** @param {Uint8ClampedArray} out @param {number} at @param {Rgb} colour @param {number} share */
function blend(out, at, colour, share) {
  out[at] += (colour[0] - out[at]) * share;
  out[at + 1] += (colour[1] - out[at + 1]) * share;
  out[at + 2] += (colour[2] - out[at + 2]) * share;
}
