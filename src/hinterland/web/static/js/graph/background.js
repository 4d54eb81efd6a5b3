/** Draws the layers under the vertices: regions, edges, and the paths from tokens to the vertices that they own. */
import { contextOf } from "../board/canvas.js";
import { discsOf, linesOf, pathOf, patternFill, strokeLines } from "./paths.js";

/** @import { Size } from "../board/canvas.js" */
/** @import { Palette } from "../board/palette.js" */
/** @import { VertexLayout } from "./vertex-layout.js" */
/** @import { Taken, Voronoi } from "./voronoi.js" */

/** Number of shades in which edges are drawn: short edges dark, long edges faint. */
const SHADES = 5;
const DARKEST = 0.55;
const FAINTEST = 0.3;
/** Share of the board that lines may cover at full strength. If they cover more, they are drawn fainter, so that the board does not turn grey. */
const CLEAR = { edges: 0.07, ways: 0.05 };

export class Background {
  /** @param {VertexLayout} layout @param {Voronoi} voronoi */
  constructor(layout, voronoi) {
    this.layout = layout;
    this.voronoi = voronoi;
    const { edges } = voronoi.network;
    this.shades = shadesOf(edges, layout.places);
    this.length = lengthOf(edges, layout.places);
    this.all = pathOf(layout.cells);
  }

  /** @param {HTMLCanvasElement} canvas @param {Size} size @param {Palette} palette @param {{ edges: boolean, patterns: boolean }} options */
  paint(canvas, size, palette, { edges, patterns }) {
    const { layout, voronoi } = this;
    const context = contextOf(canvas, size, 1);
    const pixel = 1 / size.side;
    const owned = voronoi.scores.map((_, seat) => layout.vertices.filter((vertex) => voronoi.owner(vertex) === seat));
    context.fillStyle = palette.raised;
    context.fill(this.all);
    owned.forEach((vertices, seat) => this.#region(context, size, palette, vertices, seat, patterns));
    strokeLines(context, this.all, palette.ground, pixel, 0.45);
    const borders = layout.walls.filter(({ cells: [one, other] }) => voronoi.owner(one) !== voronoi.owner(other));
    strokeLines(context, pathOf(borders.map(({ line }) => line)), palette.ground, 2.5 * pixel);
    const faint = Math.min(1, (CLEAR.edges / (this.length * pixel)) ** 0.55);
    const shade = (/** @type {number} */ k) => faint * (DARKEST + ((FAINTEST - DARKEST) * k) / (SHADES - 1));
    if (edges) this.shades.forEach((path, k) => strokeLines(context, path, palette.ink, pixel, shade(k)));
    owned.forEach((vertices, seat) => this.#ways(context, pixel, palette.seats[seat].stone, vertices));
  }

  /** @param {CanvasRenderingContext2D} context @param {Size} size @param {Palette} palette @param {number[]} vertices @param {number} seat @param {boolean} isPatterned */
  #region(context, size, { seats }, vertices, seat, isPatterned) {
    const path = pathOf(vertices.map((vertex) => this.layout.cells[vertex]));
    context.fillStyle = seats[seat].region;
    context.fill(path);
    if (!isPatterned) return;
    context.globalAlpha = 0.45;
    context.fillStyle = patternFill(context, seat, seats[seat].stone, size);
    context.fill(path);
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} pixel @param {string} colour @param {number[]} vertices */
  #ways(context, pixel, colour, vertices) {
    const { places } = this.layout;
    const pairs = vertices.map((vertex) => /** @type {[number, number]} */ ([vertex, this.voronoi.state.via[vertex]]));
    const faint = Math.min(0.8, Math.sqrt(CLEAR.ways / (lengthOf(pairs, places) * pixel)));
    strokeLines(context, linesOf(pairs, places), colour, 1.5 * pixel, faint);
  }

  /**
   * Draw what a token would take: its future region, the paths to it, and a ring around each vertex.
   * @param {HTMLCanvasElement} canvas @param {Size} size @param {Taken | null} taken @param {{ region: string, stone: string }} colours
   */
  paintPreview(canvas, size, taken, { region, stone }) {
    const context = contextOf(canvas, size, 1);
    if (!taken) return;
    const { cells, places, radii, spacing } = this.layout;
    const pixel = 1 / size.side;
    const vertices = [...taken.vertices];
    context.fillStyle = region;
    context.fill(pathOf(vertices.map((vertex) => cells[vertex])));
    strokeLines(context, linesOf(vertices.map((vertex, k) => [vertex, taken.via[k]]), places), stone, 2 * pixel);
    const ring = Math.min(3.5 * pixel, spacing / 10);
    context.fillStyle = stone;
    context.fill(discsOf(vertices, places, (vertex) => radii[vertex] + ring));
  }
}

/** The total length of lines. @param {number[][]} pairs @param {[number, number][]} places */
function lengthOf(pairs, places) {
  return pairs.reduce((sum, [a, b]) => sum + Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]), 1e-9);
}

/** The edges in classes by their length, the shortest first; each class is one path. @param {[number, number, number][]} edges @param {[number, number][]} places */
function shadesOf(edges, places) {
  const lengths = edges.map(([, , length]) => length).sort((a, b) => a - b);
  const [least, most] = [lengths[0] ?? 0, lengths[lengths.length - 1] ?? 1];
  const shadeOf = (/** @type {number} */ length) => Math.min(SHADES - 1, Math.floor((SHADES * (length - least)) / (most - least || 1)));
  return Array.from({ length: SHADES }, (_, shade) => linesOf(edges.filter(([, , length]) => shadeOf(length) === shade), places));
}
