/** Places on a board: finds the place nearest to a point, and the next place in a direction. */

/** @import { Point } from "./aiming.js" */

export class Places {
  /** @param {[number, number][]} places  in the unit square, y downwards */
  constructor(places) {
    this.places = places;
    /** Approximate distance of neighbours. */
    this.spacing = 1 / Math.sqrt(Math.max(1, places.length));
  }

  /** The nearest place within `reach` of a point, or null. @param {Point} point @param {Iterable<number>} among @param {number} reach */
  nearest({ x, y }, among, reach) {
    return leastOf(among, (place) => Math.hypot(this.places[place][0] - x, this.places[place][1] - y), reach);
  }

  /** The next place from `from` in a direction; `from` itself if there is none. @param {number} from @param {[number, number]} direction @param {Iterable<number>} among */
  next(from, [right, down], among) {
    const [x, y] = this.places[from];
    const cost = (/** @type {number} */ place) => {
      const [dx, dy] = [this.places[place][0] - x, this.places[place][1] - y];
      const ahead = dx * right + dy * down;
      const beside = Math.abs(dx * down - dy * right);
      return ahead <= 0 || place === from ? Infinity : Math.hypot(ahead, beside) + (beside > ahead ? 4 : 1) * beside;
    };
    return leastOf(among, cost, Number.MAX_VALUE) ?? from;
  }
}

/**
 * The item of least cost, the first of several; null if all items cost more than `most`.
 * @template T
 * @param {Iterable<T>} things @param {(thing: T) => number} cost @param {number} most @returns {T | null}
 */
export function leastOf(things, cost, most) {
  /** @type {T | null} */
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const one = cost(thing);
    if (one >= least || one > most) continue;
    least = one;
    best = thing;
  }
  return best;
}
