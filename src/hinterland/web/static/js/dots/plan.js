/** Where a board's dots are, and what follows from it: which lines cross, what is meant by a point, what comes next. */

/** @typedef {{ places: [number, number][], turns: string, isOpen?: boolean }} DrawingData  isOpen: more dots can be drawn on it */
/** @typedef {[number, number]} Line  its two dots, the smaller number first */
/** @typedef {{ x: number, y: number }} Point  in the unit square, y downwards */

export class Plan {
  /** @param {Pick<DrawingData, "places" | "turns">} drawingData */
  constructor({ places, turns }) {
    this.places = places;
    this.count = places.length;
    this.spacing = 1 / Math.sqrt(Math.max(1, places.length));
    /** How far the next dot is from each. */
    this.nearest = places.map(([x, y], dot) => Math.min(1, ...places.map(([u, v], other) => (dot === other ? 1 : Math.hypot(u - x, v - y)))));
    this.turns = turnsOf(turns, places.length);
  }

  /** On which side of the line from a to b a dot is: 1 or -1. @param {number} a @param {number} b @param {number} dot */
  side(a, b, dot) {
    return this.turns[(a * this.count + b) * this.count + dot];
  }

  /** @param {Line} one @param {Line} other */
  cross([a, b], [c, d]) {
    if (a === c || a === d || b === c || b === d) return false;
    return this.side(a, b, c) !== this.side(a, b, d) && this.side(c, d, a) !== this.side(c, d, b);
  }

  /** The nearest of some dots no farther than `reach` from a point, or null. @param {Point} point @param {Iterable<number>} dots @param {number} reach */
  dotAt({ x, y }, dots, reach) {
    /** @type {number | null} */
    let best = null;
    let least = reach;
    for (const dot of dots) {
      const apart = Math.hypot(this.places[dot][0] - x, this.places[dot][1] - y);
      if (apart > least) continue;
      least = apart;
      best = dot;
    }
    return best;
  }

  /**
   * The nearest of some lines no farther than `reach` from a point, or null.
   * @template {Line} L
   * @param {Point} point @param {Iterable<L>} lines @param {number} reach @returns {L | null}
   */
  lineAt(point, lines, reach) {
    /** @type {L | null} */
    let best = null;
    let least = reach;
    for (const line of lines) {
      const apart = this.#apart(point, line);
      if (apart > least) continue;
      least = apart;
      best = line;
    }
    return best;
  }

  /** @param {Point} point @param {Line} line */
  #apart({ x, y }, [a, b]) {
    const [[ax, ay], [bx, by]] = [this.places[a], this.places[b]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.max(0, Math.min(1, along));
    return Math.hypot(ax + share * dx - x, ay + share * dy - y);
  }

  /** The middle of a line. @param {Line} line @returns {[number, number]} */
  middle([a, b]) {
    return [(this.places[a][0] + this.places[b][0]) / 2, (this.places[a][1] + this.places[b][1]) / 2];
  }

  /** Which of some dots comes next in a direction; the same one where there is none. @param {number} from @param {[number, number]} direction @param {Iterable<number>} dots */
  next(from, [right, down], dots) {
    const [x, y] = this.places[from];
    let best = from;
    let least = Infinity;
    for (const dot of dots) {
      const ahead = (this.places[dot][0] - x) * right + (this.places[dot][1] - y) * down;
      const beside = Math.abs((this.places[dot][0] - x) * down - (this.places[dot][1] - y) * right);
      const cost = Math.hypot(ahead, beside) + (beside > ahead ? 4 : 1) * beside;
      if (ahead <= 0 || dot === from || cost >= least) continue;
      least = cost;
      best = dot;
    }
    return best;
  }
}

/** The turn of any three dots in any order: n × n × n of 1 (left), -1 (right), 0. @param {string} signs  one for each i < j < k, in order @param {number} count */
function turnsOf(signs, count) {
  const turns = new Int8Array(count ** 3);
  let at = 0;
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const turn = signs[at++] === "+" ? 1 : -1;
        for (const [a, b, c] of [[i, j, k], [j, k, i], [k, i, j]]) {
          turns[(a * count + b) * count + c] = turn;
          turns[(b * count + a) * count + c] = -turn;
        }
      }
    }
  }
  return turns;
}
