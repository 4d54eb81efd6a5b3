/** What a token on each vertex would gain, as a map from dark to light; worked out in slices, so that nothing waits. */
import { make, setText } from "../dom.js";
import { gained } from "../format.js";
import { pathOf, sheetOf } from "./sheet.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {import("./sheet.js").Size} Size */

/** From little to much: dark to light, so that it also reads without colour. */
const HEAT = [[13, 8, 35], [87, 16, 110], [188, 55, 84], [249, 142, 9], [252, 255, 164]];
const SHADES = 48;
const SLICE_MS = 6;

export class Heat {
  constructor() {
    this.canvas = make("canvas", { class: "heat", "aria-hidden": "true", hidden: true });
    this.least = make("span", { class: "number" });
    this.most = make("span", { class: "number" });
    this.legend = make("p", { class: "legend", hidden: true }, this.least, make("span", { class: "ramp", "aria-hidden": "true" }), this.most);
    /** Counts what was asked for: an answer to an older question is dropped. */
    this.asked = 0;
    /** @type {number[] | null} one a vertex; -1: taken */
    this.gains = null;
  }

  hide() {
    this.asked++;
    this.gains = null;
    this.canvas.hidden = this.legend.hidden = true;
  }

  /** Work the gains of a seat out. @param {Standing} standing @param {number} seat @returns {Promise<boolean>}  whether they were still wanted */
  async ask(standing, seat) {
    const asked = ++this.asked;
    /** @type {number[]} */
    const gains = [];
    while (gains.length < standing.network.count) {
      await rest();
      if (asked !== this.asked) return false;
      const until = performance.now() + SLICE_MS;
      while (gains.length < standing.network.count && performance.now() < until) {
        const vertex = gains.length;
        gains.push(standing.holds(vertex) ? -1 : standing.weigh(vertex, seat).gain);
      }
    }
    this.gains = gains;
    return true;
  }

  /** @param {Plan} plan @param {Size} size */
  paint(plan, size) {
    const { gains } = this;
    this.canvas.hidden = this.legend.hidden = !gains;
    if (!gains) return;
    const free = gains.filter((gain) => gain >= 0);
    const [least, most] = [Math.min(...free), Math.max(...free)];
    setText(this.least, gained(least));
    setText(this.most, gained(most));
    const context = sheetOf(this.canvas, size);
    /** @type {number[][][]} */
    const shades = Array.from({ length: SHADES }, () => []);
    gains.forEach((gain, vertex) => gain >= 0 && shades[Math.round(((gain - least) / Math.max(1, most - least)) * (SHADES - 1))].push(plan.cells[vertex]));
    shades.forEach((cells, shade) => {
      context.fillStyle = colourAt(shade / (SHADES - 1));
      context.fill(pathOf(cells));
    });
  }
}

/** @param {number} share */
function colourAt(share) {
  const at = share * (HEAT.length - 1);
  const low = Math.min(HEAT.length - 2, Math.floor(at));
  return `rgb(${HEAT[low].map((channel, k) => Math.round(channel + (HEAT[low + 1][k] - channel) * (at - low))).join(" ")})`;
}

/** Let the page draw and answer first. */
const rest = () => new Promise((go) => ("requestIdleCallback" in window ? requestIdleCallback(go, { timeout: 50 }) : setTimeout(go)));
