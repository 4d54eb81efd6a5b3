/** Computes the pulls of gravity on whole boards; needs no DOM. A cell belongs to the colour with the greatest pull. */

/** @typedef {{ row: number, col: number, weight: number, seat: number }} Stone */
/** @typedef {"gravity" | "nearest"} Law */
/** @typedef {{ size: number, seats: number, law: Law }} Plane */

/** Pulls that differ by less than this share count as equal, so that cells equally far from stones of two colours belong to nobody. */
export const TIE = 1e-12;
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
   * Bring the fields up to date for these stones. New stones are added to the sums; if a colour has lost a stone, its
   * field is summed anew.
   * @param {Stone[]} stones
   */
  place(stones) {
    this.fields.forEach((field, seat) => {
      const wanted = stones.filter((stone) => stone.seat === seat);
      const held = this.stones[seat];
      if (!held.every((stone, k) => isSame(stone, wanted[k]))) {
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

/** @param {Stone} a @param {Stone | undefined} b */
export function isSame(a, b) {
  return a.row === b?.row && a.col === b.col && a.weight === b.weight && a.seat === b.seat;
}

/**
 * Store the owner of every cell (NOBODY if pulls are equal), and return how many cells each seat owns.
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

/**
 * The number and distance of the stone that forbids this cell: the nearest stone within the spacing. Null if the cell
 * is allowed.
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
