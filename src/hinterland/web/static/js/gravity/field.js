/**
 * The pulls of gravity, on whole boards, without a DOM.
 *
 * A cell x belongs to the colour with the greatest pull. A new stone of weight w at c takes x from a seat with own pull
 * m(x) against T(x), the greatest pull of any other, exactly when |x - c|^2 < w / (T - m): when c lies within the
 * *reach* of x. The reach does not depend on c, so it is computed once a move; what a stone would take is then one
 * comparison a cell, and whole tiles of cells are decided at once by their least and greatest reach.
 */

/** @typedef {{ row: number, col: number, weight: number, seat: number }} Stone */
/** @typedef {"gravity" | "nearest"} Law */
/** @typedef {{ size: number, seats: number, law: Law }} Plane */

/** Pulls that differ by less than this share are the same: a mirror line is nobody's. */
const TIE = 1e-12;
export const TILE = 16;
export const NOBODY = -1;

/** The pull of every colour at every cell, kept up to date stone by stone. */
export class Pulls {
  /** @param {Plane} plane */
  constructor({ size, seats, law }) {
    this.size = size;
    this.law = law;
    /** @type {Float64Array[]} */
    this.fields = Array.from({ length: seats }, () => new Float64Array(size * size));
    /** @type {Stone[][]} */
    this.stones = Array.from({ length: seats }, () => []);
  }

  /**
   * Bring the fields to exactly these stones. Stones are only ever added to a sum; a colour that lost one is summed anew.
   * @param {Stone[]} stones
   */
  place(stones) {
    this.fields.forEach((field, seat) => {
      const wanted = stones.filter((stone) => stone.seat === seat);
      const held = this.stones[seat];
      if (!held.every((stone, k) => k < wanted.length && isSame(stone, wanted[k]))) {
        field.fill(0);
        held.length = 0;
      }
      for (const stone of wanted.slice(held.length)) {
        this.#add(field, stone);
        held.push(stone);
      }
    });
  }

  /** @param {Float64Array} field @param {Stone} stone */
  #add(field, { row, col, weight }) {
    const { size } = this;
    const strongest = this.law === "nearest";
    for (let r = 0, i = 0; r < size; r++) {
      const dr2 = (r - row) * (r - row);
      for (let c = 0; c < size; c++, i++) {
        const pull = weight / (dr2 + (c - col) * (c - col));
        if (!strongest) field[i] += pull;
        else if (pull > field[i]) field[i] = pull;
      }
    }
  }
}

/** @param {Stone} a @param {Stone} b */
function isSame(a, b) {
  return a.row === b.row && a.col === b.col && a.weight === b.weight;
}

/**
 * The owner of every cell (NOBODY on equal pulls) and how many each seat owns.
 * @param {Float64Array[]} fields
 * @param {Int8Array} owner  filled
 */
export function share(fields, owner) {
  const scores = new Array(fields.length).fill(0);
  for (let i = 0; i < owner.length; i++) {
    let best = 0;
    let second = 0;
    let who = NOBODY;
    for (let seat = 0; seat < fields.length; seat++) {
      const pull = fields[seat][i];
      if (pull > best) {
        second = best;
        best = pull;
        who = seat;
      } else if (pull > second) second = pull;
    }
    if (best === Infinity || best - second > TIE * best) scores[who]++;
    else who = NOBODY;
    owner[i] = who;
  }
  return scores;
}

/** For one seat: how near (squared, for one unit of weight) a new stone must come to each cell to take it. */
export class Reach {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    this.tiles = Math.ceil(size / TILE);
    /** 0 where the seat owns the cell already, Infinity where any stone takes it */
    this.squared = new Float64Array(size * size);
    this.least = new Float64Array(this.tiles * this.tiles);
    this.greatest = new Float64Array(this.tiles * this.tiles);
    this.open = new Int32Array(this.tiles * this.tiles);
  }

  /** @param {Pulls} pulls @param {number} seat */
  build(pulls, seat) {
    const own = pulls.fields[seat];
    const others = pulls.fields.filter((_, k) => k !== seat);
    const adds = pulls.law === "gravity";
    for (let i = 0; i < this.squared.length; i++) {
      let rival = 0;
      for (let k = 0; k < others.length; k++) if (others[k][i] > rival) rival = others[k][i];
      this.squared[i] = reachOf(own[i], rival, adds);
    }
    this.#survey();
  }

  #survey() {
    this.least.fill(Infinity);
    this.greatest.fill(0);
    this.open.fill(0);
    for (let r = 0, i = 0; r < this.size; r++) {
      const first = Math.floor(r / TILE) * this.tiles;
      for (let c = 0; c < this.size; c++, i++) {
        const reach = this.squared[i];
        if (reach === 0) continue;
        const tile = first + ((c / TILE) | 0);
        this.open[tile]++;
        if (reach < this.least[tile]) this.least[tile] = reach;
        if (reach > this.greatest[tile]) this.greatest[tile] = reach;
      }
    }
  }
}

/** @param {number} own @param {number} rival @param {boolean} adds  whether stones of one colour add up */
function reachOf(own, rival, adds) {
  if (rival === Infinity || own === Infinity || own - rival > TIE * own) return 0;
  const lacking = adds ? rival - own : rival;
  if (lacking <= TIE * rival) return Infinity;
  // The difference inherits the rounding of both pulls: shave that off, so that an exact tie is never taken.
  return (1 / lacking) * (1 - TIE - (1e-15 * (rival + own)) / lacking);
}

/**
 * The stone that forbids this cell, with its distance: the nearest one closer than the spacing; null if none.
 * @param {Stone[]} stones @param {number} row @param {number} col @param {number} spacing
 */
export function obstacle(stones, row, col, spacing) {
  let found = null;
  let nearest = spacing * spacing;
  stones.forEach((stone, k) => {
    const d2 = (stone.row - row) ** 2 + (stone.col - col) ** 2;
    if (d2 < nearest || d2 === 0) {
      nearest = d2;
      found = { number: k + 1, distance: Math.sqrt(d2) };
    }
  });
  return /** @type {{ number: number, distance: number } | null} */ (found);
}
