/** The legend of a heat map: smallest and largest gain, in the corner where the legend covers least. */
import { make, setText } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { t } from "../base/words.js";

/** Width of the legend, as a share of the board's side. */
const LEGEND_WIDTH = 0.45;
const LEGEND_HEIGHT = 0.09;
/** @type {Record<string, (x: number, y: number) => boolean>} whether a place lies in a corner */
const CORNERS = {
  "bottom left": (x, y) => x < LEGEND_WIDTH && y > 1 - LEGEND_HEIGHT,
  "bottom right": (x, y) => x > 1 - LEGEND_WIDTH && y > 1 - LEGEND_HEIGHT,
  "top left": (x, y) => x < LEGEND_WIDTH && y < LEGEND_HEIGHT,
  "top right": (x, y) => x > 1 - LEGEND_WIDTH && y < LEGEND_HEIGHT,
};

export class Legend {
  constructor() {
    this.least = make("span", { class: "number" });
    this.most = make("span", { class: "number" });
    this.ramp = make("span", { class: "ramp", "aria-hidden": "true" });
    this.element = make("p", { class: "legend", hidden: true }, this.least, this.ramp, this.most);
  }

  /** @param {number[]} gains  none: nothing is shown @param {[number, number][]} places  of what it should not cover, in the unit square */
  show(gains, places) {
    this.element.hidden = !gains.length;
    if (!gains.length) return;
    const [least, most] = [Math.min(...gains), Math.max(...gains)];
    this.ramp.hidden = least === most;
    setText(this.least, least === most ? t("{gain} everywhere", { gain: formatGain(least) }) : formatGain(least));
    setText(this.most, least === most ? "" : formatGain(most));
    const covered = Object.entries(CORNERS).map(([corner, holds]) => ({ corner, count: places.filter(([x, y]) => holds(x, y)).length }));
    this.element.dataset.corner = covered.reduce((best, one) => (one.count < best.count ? one : best)).corner;
  }
}
