/**
 * The graph of a board. Lengths are added up and compared without rounding, as in the rules.
 *
 * On the server all lengths of a board are multiples of one small power of two, and the length of a path needs up to 62
 * bits: too many for one number in JavaScript. So each length is kept as two numbers: whole units, and the rest below
 * one unit. Both parts add up exactly; if the rests reach a unit, it is carried over.
 */

/**
 * What a page needs to draw a board, from the server. Places and cells lie in the unit square, y downwards.
 * @typedef {object} DrawingData
 * @property {number[]} values              one a vertex
 * @property {[number, number, number][]} edges  vertex, vertex, length
 * @property {string[]} [names]             one a vertex, where they have names
 * @property {[number, number][]} places    one a vertex
 * @property {number[][]} cells             x, y, x, y … of the polygon around each vertex
 * @property {number} radius of the vertex of greatest value; areas are proportional to values
 */

/** @typedef {{ to: number, units: number, rest: number }} Way  an edge as seen from one end: whole units of its length, and the rest */

/** The longest edge has less than 2^UNITS units. So even on a board of a million vertices neither part of a distance needs more than 53 bits. */
const UNITS = 30;

export class Network {
  /** @param {Pick<DrawingData, "values" | "edges" | "names">} drawingData */
  constructor({ values, edges, names }) {
    this.values = values;
    this.names = names;
    this.count = values.length;
    this.edges = edges;
    let longest = 1;
    if (edges.length) longest = edges.reduce((most, [, , length]) => Math.max(most, length), 0);
    this.unit = 2 ** (Math.floor(Math.log2(longest)) + 1 - UNITS);
    /** @type {Way[][]} from each vertex */
    this.ways = values.map(() => []);
    for (const [a, b, length] of edges) {
      const units = Math.floor(length / this.unit);
      const rest = length - units * this.unit;
      this.ways[a].push({ to: b, units, rest });
      this.ways[b].push({ to: a, units, rest });
    }
  }

  /** The displayed name of a vertex. @param {number} vertex */
  called(vertex) {
    return this.names?.[vertex] ?? String(vertex);
  }
}
