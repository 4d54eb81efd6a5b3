/** The heat map of a graph: the gain of a token on each vertex, from dark to light. It is computed in slices, so that the page stays responsive. */
import { make } from "../base/dom.js";
import { Legend } from "../board/legend.js";
import { contextOf } from "../board/canvas.js";
import { pathOf } from "./paths.js";

/** @import { Size } from "../board/canvas.js" */
/** @import { VertexLayout } from "./vertex-layout.js" */
/** @import { Voronoi } from "./voronoi.js" */

/** Colours from the smallest to the largest gain. They go from dark to light, so that they can be told apart without hue, and none is a player's colour. */
const HEAT = [[44, 0, 43], [121, 0, 117], [210, 0, 204], [254, 143, 246], [254, 240, 252]];
const SHADES = 48;
const SLICE_MS = 6;

export class HeatMap {
  constructor() {
    this.canvas = make("canvas", { class: "heat", "aria-hidden": "true", hidden: true });
    this.legend = new Legend();
    /** Number of the current computation; an older computation stops. */
    this.asked = 0;
    /** @type {number[] | null} one a vertex; -1: taken */
    this.gains = null;
  }

  hide() {
    this.asked++;
    this.gains = null;
    this.canvas.hidden = true;
    this.legend.show([], []);
  }

  /** Compute what a token of a seat would gain on each vertex. @param {Voronoi} voronoi @param {number} seat @returns {Promise<boolean>}  whether they were still wanted */
  async ask(voronoi, seat) {
    const asked = ++this.asked;
    /** @type {number[]} */
    const gains = [];
    while (gains.length < voronoi.network.count) {
      await rest();
      if (asked !== this.asked) return false;
      const until = performance.now() + SLICE_MS;
      while (gains.length < voronoi.network.count && performance.now() < until) {
        const vertex = gains.length;
        gains.push(voronoi.holds(vertex) ? -1 : voronoi.change(vertex, seat).gain);
      }
    }
    this.gains = gains;
    return true;
  }

  /** @param {VertexLayout} layout @param {Size} size */
  paint(layout, size) {
    const { gains } = this;
    if (!gains) return;
    const free = gains.filter((gain) => gain >= 0);
    const [least, most] = [Math.min(...free), Math.max(...free)];
    this.canvas.hidden = false;
    this.legend.show(free, layout.places);
    const context = contextOf(this.canvas, size, 1);
    const shades = gains.map((gain) => Math.round(((gain - least) / Math.max(1, most - least)) * (SHADES - 1)));
    for (let shade = 0; shade < SHADES; shade++) {
      context.fillStyle = colourAt(shade / (SHADES - 1));
      context.fill(pathOf(layout.cells.filter((_, vertex) => gains[vertex] >= 0 && shades[vertex] === shade)));
    }
  }
}

/** @param {number} share */
function colourAt(share) {
  const at = share * (HEAT.length - 1);
  const low = Math.min(HEAT.length - 2, Math.floor(at));
  return `rgb(${HEAT[low].map((channel, k) => Math.round(channel + (HEAT[low + 1][k] - channel) * (at - low))).join(" ")})`;
}

/** Wait until the browser has time to go on: drawing and the viewer's actions come first. */
const rest = () => new Promise((go) => ("requestIdleCallback" in window ? requestIdleCallback(go, { timeout: 50 }) : setTimeout(go)));
