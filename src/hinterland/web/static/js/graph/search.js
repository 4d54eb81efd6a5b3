/**
 * What lies nearer to a vertex than it does to any token: Dijkstra's search, which enters no vertex that it would not take.
 *
 * Whoever lies on a shortest path to a vertex that is taken is taken too, so nothing is missed. Where a token can take
 * little, little is looked at.
 */

/** @typedef {import("./network.js").Network} Network */
/** @typedef {{ units: Float64Array, rests: Float64Array }} Distances  Infinity units: not reached */

/** @param {number} count @returns {Distances} */
export const unreached = (count) => ({ units: new Float64Array(count).fill(Infinity), rests: new Float64Array(count) });

export class Search {
  /** @param {Network} network */
  constructor(network) {
    const { count, to } = network;
    this.network = network;
    /** The vertices found, nearest first; `size` of them. */
    this.found = new Int32Array(count);
    this.size = 0;
    /** How far each vertex that was found lies, */
    this.far = unreached(count);
    /** and the last vertex before it on the way. */
    this.via = new Int32Array(count);
    this.seen = new Int32Array(count);
    this.settled = new Int32Array(count);
    this.round = 0;
    this.heap = new Heap(to.length + 1);
  }

  /** Find all that lies strictly nearer to `source` than `bounds` say. @param {number} source @param {Distances} bounds */
  run(source, bounds) {
    const { found, settled, heap } = this;
    const round = ++this.round;
    this.size = 0;
    heap.size = 0;
    this.#reach(source, source, 0, 0, bounds);
    while (heap.size) {
      const vertex = heap.pop();
      if (settled[vertex] === round) continue;
      settled[vertex] = round;
      found[this.size++] = vertex;
      this.#spread(vertex, bounds);
    }
  }

  /** @param {number} vertex @param {Distances} bounds */
  #spread(vertex, bounds) {
    const { start, to, units, rests, unit } = this.network;
    const { far, settled, round } = this;
    for (let edge = start[vertex]; edge < start[vertex + 1]; edge++) {
      if (settled[to[edge]] === round) continue;
      const rest = far.rests[vertex] + rests[edge];
      const carry = rest >= unit ? 1 : 0;
      this.#reach(to[edge], vertex, far.units[vertex] + units[edge] + carry, rest - carry * unit, bounds);
    }
  }

  /** @param {number} vertex @param {number} via @param {number} units @param {number} rest @param {Distances} bounds */
  #reach(vertex, via, units, rest, bounds) {
    const { far, seen, round } = this;
    if (!isNearer(units, rest, bounds, vertex)) return;
    if (seen[vertex] === round && !isNearer(units, rest, far, vertex)) return;
    seen[vertex] = round;
    far.units[vertex] = units;
    far.rests[vertex] = rest;
    this.via[vertex] = via;
    this.heap.push(vertex, units, rest);
  }
}

/** @param {number} units @param {number} rest @param {Distances} than @param {number} vertex */
function isNearer(units, rest, than, vertex) {
  return units < than.units[vertex] || (units === than.units[vertex] && rest < than.rests[vertex]);
}

/** A binary heap of vertices by distance. A vertex may be in it more than once: the nearest of them comes out first. */
class Heap {
  /** @param {number} room */
  constructor(room) {
    this.size = 0;
    this.vertices = new Int32Array(room);
    this.units = new Float64Array(room);
    this.rests = new Float64Array(room);
  }

  /** @param {number} vertex @param {number} units @param {number} rest */
  push(vertex, units, rest) {
    let at = this.size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isNearer(units, rest, this, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#put(at, vertex, units, rest);
  }

  /** The nearest. */
  pop() {
    const nearest = this.vertices[0];
    const last = --this.size;
    const [vertex, units, rest] = [this.vertices[last], this.units[last], this.rests[last]];
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= last) break;
      if (below + 1 < last && isNearer(this.units[below + 1], this.rests[below + 1], this, below)) below++;
      if (isNearer(units, rest, this, below)) break;
      this.#move(below, at);
      at = below;
    }
    this.#put(at, vertex, units, rest);
    return nearest;
  }

  /** @param {number} from @param {number} at */
  #move(from, at) {
    this.#put(at, this.vertices[from], this.units[from], this.rests[from]);
  }

  /** @param {number} at @param {number} vertex @param {number} units @param {number} rest */
  #put(at, vertex, units, rest) {
    this.vertices[at] = vertex;
    this.units[at] = units;
    this.rests[at] = rest;
  }
}
