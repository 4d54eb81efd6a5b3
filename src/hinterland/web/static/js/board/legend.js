/** What the colours of a heat map mean: the least and the most. */
import { make, setText } from "../base/dom.js";
import { gained } from "../base/format.js";

export class Legend {
  constructor() {
    this.least = make("span", { class: "number" });
    this.most = make("span", { class: "number" });
    this.element = make("p", { class: "legend", hidden: true }, this.least, make("span", { class: "ramp", "aria-hidden": "true" }), this.most);
  }

  /** @param {number[]} gains  none: nothing is shown */
  show(gains) {
    this.element.hidden = !gains.length;
    if (!gains.length) return;
    setText(this.least, gained(Math.min(...gains)));
    setText(this.most, gained(Math.max(...gains)));
  }
}
