/** The stone that is not placed yet: where it would lie, and with its callout what it would take or why it may not. */
import { Callout } from "../board/callout.js";
import { make } from "../dom.js";

/** @typedef {import("./aiming.js").Spot} Spot */
/** @typedef {{ side: number, size: number, radius: number, spacing: number, seat: number }} Place  lengths in CSS pixels */

export class Ghost {
  constructor() {
    this.stone = make("div", { class: "ghost", hidden: true });
    this.callout = new Callout();
  }

  hide() {
    this.stone.hidden = true;
    this.callout.hide();
  }

  /** @param {Spot} spot @param {Place} place */
  show({ row, col, source }, { side, size, radius, spacing, seat }) {
    const { stone } = this;
    const x = ((col + 0.5) * side) / size;
    const y = ((row + 0.5) * side) / size;
    stone.hidden = false;
    stone.className = `ghost seat-${seat} by-${source}`;
    stone.style.setProperty("--radius", `${radius}px`);
    stone.style.setProperty("--spacing", `${spacing}px`);
    stone.style.transform = `translate(${x}px, ${y}px)`;
    this.callout.show(x, y, side);
  }

  /** @param {boolean} sent  and not yet answered */
  wait(sent) {
    this.stone.classList.toggle("pending", sent);
  }
}
