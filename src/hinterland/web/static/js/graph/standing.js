/**
 * Who owns what after each token, kept up to date token by token, and what one more would take.
 *
 * A vertex belongs to the strictly nearest token; a new one that is only as near takes nothing, so a tie stays with the
 * token placed first. What a token takes is kept beside it: taking it back restores exactly what was before.
 */
import { Search, unreached } from "./search.js";

/** @typedef {import("./network.js").Network} Network */
/** @typedef {{ seat: number, move: number[] }} Placed */
/**
 * @typedef {object} Taken  what one token takes, its own vertex first
 * @property {Int32Array} vertices
 * @property {Int32Array} via  before each, the last vertex on the way to it
 * @property {number} gain     what its seat scores more
 * @property {number[]} lost   one a seat: what it loses
 */
/** @typedef {{ vertices: Int32Array, token: Int16Array, via: Int32Array, units: Float64Array, rests: Float64Array }} Before */

export const NOBODY = -1;

export class Standing {
  /** @param {Network} network @param {number} seats */
  constructor(network, seats) {
    this.network = network;
    this.search = new Search(network);
    this.nearest = unreached(network.count);
    /** The number of the token that owns each vertex, from 1; 0: nobody's. */
    this.token = new Int16Array(network.count);
    /** The vertex before each on the way from its token. */
    this.via = new Int32Array(network.count);
    /** @type {number[]} */
    this.scores = new Array(seats).fill(0);
    /** @type {{ vertex: number, seat: number, before: Before }[]} */
    this.tokens = [];
  }

  /** The seat that owns a vertex, or NOBODY. @param {number} vertex */
  owner(vertex) {
    const token = this.token[vertex];
    return token ? this.tokens[token - 1].seat : NOBODY;
  }

  /** The number of the token that stands on a vertex, from 1; 0: it is free. @param {number} vertex */
  holds(vertex) {
    return this.tokens.findIndex((token) => token.vertex === vertex) + 1;
  }

  /** Stand as after these moves, by way of what is the same. @param {Placed[]} moves */
  goTo(moves) {
    const differs = this.tokens.findIndex(({ vertex, seat }, k) => moves[k]?.seat !== seat || moves[k].move[0] !== vertex);
    const kept = differs < 0 ? this.tokens.length : differs;
    while (this.tokens.length > kept) this.undo();
    for (const { seat, move } of moves.slice(kept)) this.place(move[0], seat);
  }

  /** @param {number} vertex @param {number} seat */
  place(vertex, seat) {
    const { search, nearest, token, via } = this;
    this.#score(this.weigh(vertex, seat), seat, 1);
    const vertices = search.found.slice(0, search.size);
    this.tokens.push({ vertex, seat, before: this.#copy(vertices) });
    for (const one of vertices) {
      token[one] = this.tokens.length;
      via[one] = search.via[one];
      nearest.units[one] = search.far.units[one];
      nearest.rests[one] = search.far.rests[one];
    }
  }

  undo() {
    const last = this.tokens.pop();
    if (!last) return;
    const { seat, before } = last;
    before.vertices.forEach((one, k) => {
      this.token[one] = before.token[k];
      this.via[one] = before.via[k];
      this.nearest.units[one] = before.units[k];
      this.nearest.rests[one] = before.rests[k];
    });
    this.#score(this.#weighed(before.vertices, seat), seat, -1);
  }

  /** What a token here would take. @param {number} vertex @param {number} seat @returns {Taken} */
  preview(vertex, seat) {
    const weighed = this.weigh(vertex, seat);
    const vertices = this.search.found.slice(0, this.search.size);
    return { ...weighed, vertices, via: vertices.map((one) => this.search.via[one]) };
  }

  /** What a token here would gain and cost, without a list. @param {number} vertex @param {number} seat */
  weigh(vertex, seat) {
    this.search.run(vertex, this.nearest);
    return this.#weighed(this.search.found.subarray(0, this.search.size), seat);
  }

  /** @param {Int32Array} vertices @param {number} seat */
  #weighed(vertices, seat) {
    const { values } = this.network;
    let gain = 0;
    /** @type {number[]} */
    const lost = new Array(this.scores.length).fill(0);
    for (const one of vertices) {
      const owner = this.owner(one);
      if (owner === seat) continue;
      gain += values[one];
      if (owner !== NOBODY) lost[owner] += values[one];
    }
    return { gain, lost };
  }

  /** @param {{ gain: number, lost: number[] }} change @param {number} seat @param {1 | -1} way */
  #score({ gain, lost }, seat, way) {
    this.scores = this.scores.map((score, k) => score + way * ((k === seat ? gain : 0) - lost[k]));
  }

  /** @param {Int32Array} vertices @returns {Before} */
  #copy(vertices) {
    const { token, via, nearest } = this;
    return {
      vertices,
      token: Int16Array.from(vertices, (one) => token[one]),
      via: Int32Array.from(vertices, (one) => via[one]),
      units: Float64Array.from(vertices, (one) => nearest.units[one]),
      rests: Float64Array.from(vertices, (one) => nearest.rests[one]),
    };
  }
}
