/** The places of a board's dots: says which lines cross, and which line is nearest to a point. */
import { Places, leastOf } from "../board/places.js";

/** @import { Point } from "../board/aiming.js" */
/** @typedef {{ places: [number, number][], turns: string, isOpen?: boolean }} DrawingData  isOpen: more dots can be drawn on it */
/** @typedef {[number, number]} Line  its two dots, the smaller number first */

export class DotLayout extends Places {
  /** @param {Pick<DrawingData, "places" | "turns">} drawingData */
  constructor({ places, turns }) {
    super(places);
    this.count = places.length;
    /** Distance from each dot to the nearest other dot. */
    this.gaps = places.map(([x, y], dot) => Math.min(1, ...places.map(([u, v], other) => (dot === other ? 1 : Math.hypot(u - x, v - y)))));
    this.turns = turnsOf(turns, places.length);
  }

  /** The side of the line from a to b on which a dot lies: 1 (left) or -1 (right). @param {number} a @param {number} b @param {number} dot */
  side(a, b, dot) {
    return this.turns[(a * this.count + b) * this.count + dot];
  }

  /** @param {Line} one @param {Line} other */
  cross([a, b], [c, d]) {
    if (a === c || a === d || b === c || b === d) return false;
    return this.side(a, b, c) !== this.side(a, b, d) && this.side(c, d, a) !== this.side(c, d, b);
  }

  /**
   * The nearest line within `reach` of a point, or null.
   * @template {Line} L
   * @param {Point} point @param {Iterable<L>} lines @param {number} reach @returns {L | null}
   */
  lineAt(point, lines, reach) {
    return leastOf(lines, (line) => this.#apart(point, line), reach);
  }

  /** @param {Point} point @param {Line} line */
  #apart({ x, y }, [a, b]) {
    const [[ax, ay], [bx, by]] = [this.places[a], this.places[b]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.max(0, Math.min(1, along));
    return Math.hypot(ax + share * dx - x, ay + share * dy - y);
  }

  /** The point at a share of the way from a line's first dot to its second. @param {Line} line @param {number} share @returns {Point} */
  along([a, b], share) {
    const [[ax, ay], [bx, by]] = [this.places[a], this.places[b]];
    return { x: ax + share * (bx - ax), y: ay + share * (by - ay) };
  }
}

/** The orientation of every three dots in every order, as n × n × n numbers: 1 (left), -1 (right), or 0 if two of the dots are the same. @param {string} signs  one for each i < j < k, in order @param {number} count */
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
