/**
 * Who owns which vertex after each token, and what one more token would take.
 *
 * A new token takes the vertices that are strictly nearer to it than to any other token, so a tie stays with the token
 * that was placed first. Each token keeps the state before it, which is restored when the token is taken back.
 */
import { Dijkstra, unreached } from "./dijkstra.js";

/** @import { Distances } from "./dijkstra.js" */
/** @import { Network } from "./network.js" */
/** @import { LocalMoves } from "../base/types.js" */
/**
 * What one token takes. vertices: its own vertex first; via: for each of them, the vertex before it on the way from the
 * token; gain: what the seat gains; lost: what each seat loses.
 * @typedef {{ vertices: Int32Array, via: Int32Array, gain: number, lost: number[] }} Taken
 */
/** @typedef {{ nearest: Distances, token: Int16Array, via: Int32Array, scores: number[] }} State */

export const NOBODY = -1;

export class Voronoi {
  /** @param {Network} network @param {number} seats */
  constructor(network, seats) {
    const { count } = network;
    this.network = network;
    this.search = new Dijkstra(network);
    /** @type {State} token: the number of the one that owns each vertex, from 1, or 0; via: the vertex before each on the way from its token */
    this.state = { nearest: unreached(count), token: new Int16Array(count), via: new Int32Array(count), scores: new Array(seats).fill(0) };
    /** @type {{ vertex: number, seat: number, before: State }[]} */
    this.tokens = [];
  }

  get scores() {
    return this.state.scores;
  }

  /** The owner of a vertex, or NOBODY. @param {number} vertex */
  owner(vertex) {
    const token = this.state.token[vertex];
    return token ? this.tokens[token - 1].seat : NOBODY;
  }

  /** The number of the token on a vertex, from 1; 0 if it is free. @param {number} vertex */
  holds(vertex) {
    return this.tokens.findIndex((token) => token.vertex === vertex) + 1;
  }

  /** Go to the position after these moves. States that the new moves share with the old ones are kept. @param {LocalMoves} moves */
  goTo(moves) {
    const differs = this.tokens.findIndex(({ vertex, seat }, k) => moves[k]?.seat !== seat || moves[k].move[0] !== vertex);
    if (differs >= 0) {
      this.state = this.tokens[differs].before;
      this.tokens.length = differs;
    }
    for (const { seat, move } of moves.slice(this.tokens.length)) this.place(move[0], seat);
  }

  /** @param {number} vertex @param {number} seat */
  place(vertex, seat) {
    const { search, state: before } = this;
    const { gain, lost } = this.change(vertex, seat);
    const { nearest, token, via, scores } = before;
    this.state = {
      nearest: { units: nearest.units.slice(), rests: nearest.rests.slice() },
      token: token.slice(),
      via: via.slice(),
      scores: scores.map((score, k) => score + (k === seat ? gain : 0) - lost[k]),
    };
    this.tokens.push({ vertex, seat, before });
    for (const one of search.found.subarray(0, search.size)) {
      this.state.token[one] = this.tokens.length;
      this.state.via[one] = search.via[one];
      this.state.nearest.units[one] = search.far.units[one];
      this.state.nearest.rests[one] = search.far.rests[one];
    }
  }

  /** What a token of a seat on a vertex would take. @param {number} vertex @param {number} seat @returns {Taken} */
  preview(vertex, seat) {
    const change = this.change(vertex, seat);
    const vertices = this.search.found.slice(0, this.search.size);
    return { ...change, vertices, via: vertices.map((one) => this.search.via[one]) };
  }

  /** What a token of a seat on a vertex would gain, and what each seat would lose. @param {number} vertex @param {number} seat */
  change(vertex, seat) {
    const { search, network } = this;
    let gain = 0;
    /** @type {number[]} */
    const lost = this.scores.map(() => 0);
    search.run(vertex, this.state.nearest);
    for (const one of search.found.subarray(0, search.size)) {
      const owner = this.owner(one);
      if (owner === seat) continue;
      gain += network.values[one];
      if (owner !== NOBODY) lost[owner] += network.values[one];
    }
    return { gain, lost };
  }
}
