/** What lies under the vertices: regions, the edges of the graph, and the ways on which tokens reach what is theirs. */
import { discsOf, linesOf, pathOf, patternFill, sheetOf } from "./sheet.js";
import { NOBODY } from "./standing.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {import("./standing.js").Taken} Taken */
/** @typedef {import("./sheet.js").Size} Size */
/** @typedef {import("../board/palette.js").Palette} Palette */
/** @typedef {{ edges: boolean, patterns: boolean }} Options */

/** In how many shades edges are drawn: short ones dark, long ones faint. */
const SHADES = 5;
const DARKEST = 0.55;
const FAINTEST = 0.3;
/** Lines that would cover more than this share of the board grow fainter, so that it does not turn grey. */
const CLEAR = { edges: 0.07, ways: 0.05 };

export class Ground {
  /** @param {Plan} plan @param {Standing} standing */
  constructor(plan, standing) {
    this.plan = plan;
    this.standing = standing;
    const { edges } = standing.network;
    this.shades = shadesOf(edges, plan.places);
    this.ink = inkOf(edges, plan.places);
    this.all = pathOf(plan.cells);
  }

  /** @param {HTMLCanvasElement} canvas @param {Size} size @param {Palette} palette @param {Options} options */
  paint(canvas, size, palette, options) {
    const context = sheetOf(canvas, size);
    const pixel = 1 / size.side;
    this.#regions(context, size, palette, options.patterns);
    this.#walls(context, pixel, palette);
    if (options.edges) this.#edges(context, pixel, palette);
    this.#ways(context, pixel, palette);
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {Palette} palette @param {boolean} patterns */
  #regions(context, size, { seats, raised, ground }, patterns) {
    context.fillStyle = raised;
    context.fill(this.all);
    this.#owned().forEach((cells, seat) => {
      const path = pathOf(cells.map((vertex) => this.plan.cells[vertex]));
      context.fillStyle = seats[seat].region;
      context.fill(path);
      if (!patterns) return;
      context.globalAlpha = 0.45;
      context.fillStyle = patternFill(context, seat, seats[seat].mark, size);
      context.fill(path);
      context.globalAlpha = 1;
    });
    context.strokeStyle = ground;
    context.globalAlpha = 0.45;
    context.lineWidth = 1 / size.side;
    context.stroke(this.all);
    context.globalAlpha = 1;
  }

  /** The vertices of each seat. */
  #owned() {
    /** @type {number[][]} */
    const owned = this.standing.scores.map(() => []);
    for (let vertex = 0; vertex < this.plan.places.length; vertex++) {
      const owner = this.standing.owner(vertex);
      if (owner !== NOBODY) owned[owner].push(vertex);
    }
    return owned;
  }

  /** The line where two regions meet. @param {CanvasRenderingContext2D} context @param {number} pixel @param {Palette} palette */
  #walls(context, pixel, { ground }) {
    const path = new Path2D();
    for (const { line, cells } of this.plan.walls) {
      if (this.standing.owner(cells[0]) === this.standing.owner(cells[1])) continue;
      path.moveTo(line[0], line[1]);
      path.lineTo(line[2], line[3]);
    }
    context.strokeStyle = ground;
    context.lineWidth = 2.5 * pixel;
    context.stroke(path);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} pixel @param {Palette} palette */
  #edges(context, pixel, { ink }) {
    context.strokeStyle = ink;
    context.lineWidth = pixel;
    const faint = Math.min(1, (CLEAR.edges / (this.ink * pixel)) ** 0.55);
    this.shades.forEach((path, k) => {
      context.globalAlpha = faint * (DARKEST + ((FAINTEST - DARKEST) * k) / (SHADES - 1));
      context.stroke(path);
    });
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} pixel @param {Palette} palette */
  #ways(context, pixel, { seats }) {
    const { via } = this.standing;
    this.#owned().forEach((vertices, seat) => {
      const pairs = vertices.map((vertex) => /** @type {[number, number]} */ ([vertex, via[vertex]]));
      context.strokeStyle = seats[seat].mark;
      context.lineWidth = 1.5 * pixel;
      context.globalAlpha = Math.min(0.8, Math.sqrt(CLEAR.ways / (inkOf(pairs, this.plan.places) * pixel)));
      context.stroke(linesOf(pairs, this.plan.places));
      context.globalAlpha = 1;
    });
  }

  /**
   * What a token would take: its future region, the ways to it, and a ring around each vertex.
   * @param {HTMLCanvasElement} canvas @param {Size} size @param {Taken | null} taken @param {{ region: string, mark: string }} colours
   */
  paintPreview(canvas, size, taken, { region, mark }) {
    const context = sheetOf(canvas, size);
    if (!taken) return;
    const { plan } = this;
    const pixel = 1 / size.side;
    const vertices = [...taken.vertices];
    context.fillStyle = region;
    context.fill(pathOf(vertices.map((vertex) => plan.cells[vertex])));
    context.strokeStyle = context.fillStyle = mark;
    context.lineWidth = 2 * pixel;
    context.stroke(linesOf(vertices.map((vertex, k) => [vertex, taken.via[k]]), plan.places));
    const ring = Math.min(3.5 * pixel, plan.spacing / 10);
    context.fill(discsOf(vertices, plan.places, (vertex) => plan.radii[vertex] + ring));
  }
}

/** The length of lines together. @param {number[][]} pairs @param {[number, number][]} places */
function inkOf(pairs, places) {
  return pairs.reduce((sum, [a, b]) => sum + Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]), 1e-9);
}

/** Edges by length, the shortest first, each class as one path. @param {[number, number, number][]} edges @param {[number, number][]} places */
function shadesOf(edges, places) {
  const lengths = edges.map(([, , length]) => length).sort((a, b) => a - b);
  const [least, most] = [lengths[0] ?? 0, lengths[lengths.length - 1] ?? 1];
  /** @type {[number, number][][]} */
  const classes = Array.from({ length: SHADES }, () => []);
  for (const [a, b, length] of edges) {
    const share = most > least ? (length - least) / (most - least) : 0;
    classes[Math.min(SHADES - 1, Math.floor(share * SHADES))].push([a, b]);
  }
  return classes.map((pairs) => linesOf(pairs, places));
}
