/**
 * Dijkstra's search for all vertices that lie nearer to one vertex than to any token, so that a new token there would
 * take them. It enters no other vertex.
 *
 * All vertices on a shortest path to a taken vertex are taken themselves, so no taken vertex is missed. The search for
 * a token that can take little is short. Few vertices are open (seen, but not settled) at a time, so the nearest of
 * them is found by looking at all.
 */

/** @import { Network } from "./network.js" */
/** @typedef {{ units: Float64Array, rests: Float64Array }} Distances  Infinity units: not reached */

/** @param {number} count @returns {Distances} */
export const unreached = (count) => ({ units: new Float64Array(count).fill(Infinity), rests: new Float64Array(count) });

export class Dijkstra {
  /** @param {Network} network */
  constructor(network) {
    const { count } = network;
    this.network = network;
    /** The found vertices, the nearest first; only the first `size` entries count. */
    this.found = new Int32Array(count);
    this.size = 0;
    /** Distance of each found vertex. */
    this.far = unreached(count);
    /** For each found vertex, the vertex before it on its shortest path. */
    this.via = new Int32Array(count);
    /** Number of the search that last saw each vertex. */
    this.seen = new Int32Array(count);
    /** Number of the search that last settled each vertex, that is, found its final distance. */
    this.settled = new Int32Array(count);
    this.round = 0;
    /** @type {number[]} vertices seen and not settled */
    this.open = [];
  }

  /** Find all vertices whose distance from `source` is less than their entry in `bounds`. @param {number} source @param {Distances} bounds */
  run(source, bounds) {
    this.round++;
    this.size = 0;
    this.#reach(source, source, 0, 0, bounds);
    while (this.open.length) {
      const vertex = this.#takeNearest();
      this.settled[vertex] = this.round;
      this.found[this.size++] = vertex;
      this.#expand(vertex, bounds);
    }
  }

  #takeNearest() {
    const { open, far } = this;
    let best = 0;
    for (let k = 1; k < open.length; k++) if (isNearer(far.units[open[k]], far.rests[open[k]], far, open[best])) best = k;
    const nearest = open[best];
    open[best] = open[open.length - 1];
    open.pop();
    return nearest;
  }

  /** @param {number} vertex @param {Distances} bounds */
  #expand(vertex, bounds) {
    const { far, settled, round } = this;
    const { ways, unit } = this.network;
    for (const way of ways[vertex]) {
      if (settled[way.to] === round) continue;
      const rest = far.rests[vertex] + way.rest;
      const carry = rest >= unit ? 1 : 0;
      this.#reach(way.to, vertex, far.units[vertex] + way.units + carry, rest - carry * unit, bounds);
    }
  }

  /** @param {number} vertex @param {number} via @param {number} units @param {number} rest @param {Distances} bounds */
  #reach(vertex, via, units, rest, bounds) {
    const { far, seen, round } = this;
    const isKnown = seen[vertex] === round;
    if (!isNearer(units, rest, isKnown ? far : bounds, vertex)) return;
    if (!isKnown) this.open.push(vertex);
    seen[vertex] = round;
    far.units[vertex] = units;
    far.rests[vertex] = rest;
    this.via[vertex] = via;
  }
}

/** @param {number} units @param {number} rest @param {Distances} than @param {number} vertex */
function isNearer(units, rest, than, vertex) {
  return units < than.units[vertex] || (units === than.units[vertex] && rest < than.rests[vertex]);
}
