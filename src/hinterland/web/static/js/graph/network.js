/**
 * The graph of a board, with lengths that are added up and compared without rounding, as the rules do.
 *
 * The server keeps all lengths of a board on one binary grid, so fine that a sum along a path takes up to 62 bits: too
 * many for one number of a browser. So each is kept as two: how many whole units it holds, and the rest below a unit.
 * Both parts add up exactly, and where the rests reach a unit, it is carried over.
 */

/**
 * What a page needs to draw a board, from the server. Places and cells lie in the unit square, y downwards.
 * @typedef {object} DrawingData
 * @property {number[]} values              one a vertex
 * @property {[number, number, number][]} edges  vertex, vertex, length
 * @property {string[]} [names]             one a vertex, where they have names
 * @property {[number, number][]} places    one a vertex
 * @property {number[][]} cells             x, y, x, y … of the polygon around each vertex
 * @property {number} radius                of the vertex of greatest value; areas are as values
 */

/** Units in the longest edge, as a power of two: so neither part leaves 53 bits on a board of a million vertices. */
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
    this.start = this.#starts();
    this.to = new Int32Array(2 * edges.length);
    /** Whole units of each edge's length, */
    this.units = new Float64Array(2 * edges.length);
    /** and the rest of it. */
    this.rests = new Float64Array(2 * edges.length);
    this.#fill();
  }

  /** What people call a vertex. @param {number} vertex */
  called(vertex) {
    return this.names?.[vertex] ?? String(vertex);
  }

  #starts() {
    const start = new Int32Array(this.count + 1);
    for (const [a, b] of this.edges) {
      start[a + 1]++;
      start[b + 1]++;
    }
    for (let k = 0; k < this.count; k++) start[k + 1] += start[k];
    return start;
  }

  #fill() {
    const next = this.start.slice();
    for (const [a, b, length] of this.edges) {
      const units = Math.floor(length / this.unit);
      for (const [from, to] of [[a, b], [b, a]]) {
        const at = next[from]++;
        this.to[at] = to;
        this.units[at] = units;
        this.rests[at] = length - units * this.unit;
      }
    }
  }
}
