/** What the colours of a heat map mean: the least and the most. */
import { make, setText } from "../dom.js";
import { gained } from "../format.js";

export class Legend {
  constructor() {
    this.least = make("span", { class: "number" });
    this.most = make("span", { class: "number" });
    this.element = make("p", { class: "legend", hidden: true }, this.least, make("span", { class: "ramp", "aria-hidden": "true" }), this.most);
  }

  hide() {
    this.element.hidden = true;
  }

  /** @param {number[]} gains */
  show(gains) {
    setText(this.least, gained(Math.min(...gains)));
    setText(this.most, gained(Math.max(...gains)));
    this.element.hidden = false;
  }
}
