/** The dots of a board, which can be focused: those there, those gone, the one picked and the ones aimed at. */
import { draw } from "../board/svg.js";
import { SCALE } from "./drawing.js";
import { dotLabel } from "./words.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./standing.js").Standing} Standing */

/** The radius of a dot: as a share of the side, of the mean spacing, of how far the next dot is, and in CSS pixels at least. */
const RADIUS = 0.0165;
const ROOMY = 0.16;
const APART = 0.45;
const READABLE_PX = 9;
const LEAST_PX = 6;
/** On a board smaller than this, in CSS pixels, dots need not be readable. */
const SMALL = 280;

export class Marks {
  constructor() {
    this.svg = draw("svg", { class: "marks", viewBox: `0 0 ${SCALE} ${SCALE}` });
    this.tab = 0;
    this.isFocusable = false;
    /** @type {number[]} */
    this.present = [];
  }

  /** A new board. @param {Plan} plan */
  lay(plan) {
    this.plan = plan;
    this.tab = 0;
    this.isFocusable = false;
    this.svg.replaceChildren(...plan.places.map((_, dot) => this.#dot(plan, dot)));
  }

  /** @param {Plan} plan @param {number} dot */
  #dot({ places }, dot) {
    const [x, y] = places[dot].map((share) => (SCALE * share).toFixed(1));
    const number = draw("text", { class: dot > 9 ? "long" : "" });
    number.textContent = String(dot);
    const discs = ["ring", "rim", "disc"].map((name) => draw("circle", { class: name }));
    return draw("g", { class: "dot", transform: `translate(${x} ${y})`, "data-dot": dot }, ...discs, number);
  }

  /** @param {number} side  of the board, in CSS pixels */
  fit(side) {
    const { spacing = 1, nearest = [] } = this.plan ?? {};
    const wished = Math.max(side < SMALL ? 0 : READABLE_PX / side, Math.min(RADIUS, ROOMY * spacing));
    const least = Math.min(wished, LEAST_PX / side);
    this.svg.style.setProperty("--px", String(SCALE / side));
    this.svg.childNodes.forEach((node, dot) => {
      const mark = /** @type {SVGElement} */ (node);
      const radius = Math.min(wished, Math.max(APART * nearest[dot], least));
      mark.style.setProperty("--dot", String(SCALE * radius));
      mark.toggleAttribute("data-small", radius * side < 0.8 * READABLE_PX);
    });
  }

  /** @param {Standing} standing */
  show(standing) {
    this.present = standing.present;
    const takers = new Map(standing.closed.flatMap(({ dots, seat }) => dots.map((dot) => [dot, seat])));
    this.svg.childNodes.forEach((node, dot) => {
      const mark = /** @type {SVGElement} */ (node);
      const taker = takers.get(dot);
      mark.setAttribute("class", taker === undefined ? "dot" : `dot gone seat-${taker}`);
      if (!this.isFocusable) return;
      if (taker === undefined) this.#name(mark, dotLabel(dot, standing));
      else this.#forget(mark);
    });
    if (this.isFocusable && !this.present.includes(this.tab)) this.lead(this.present[0] ?? 0);
  }

  /** Whether dots can be reached by keys; one of them is where Tab leads. @param {boolean} on @param {Standing} standing */
  focusable(on, standing) {
    if (on === this.isFocusable) return;
    this.isFocusable = on;
    this.svg.childNodes.forEach((node, dot) => {
      if (on && standing.present.includes(dot)) this.#name(/** @type {SVGElement} */ (node), dotLabel(dot, standing));
      else this.#forget(/** @type {SVGElement} */ (node));
    });
    if (on) this.lead(standing.present.includes(this.tab) ? this.tab : (standing.present[0] ?? 0));
  }

  /** @param {SVGElement} mark @param {string} label */
  #name(mark, label) {
    mark.setAttribute("role", "button");
    if (!mark.hasAttribute("tabindex")) mark.setAttribute("tabindex", "-1");
    if (mark.getAttribute("aria-label") !== label) mark.setAttribute("aria-label", label);
  }

  /** @param {SVGElement} mark */
  #forget(mark) {
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) mark.removeAttribute(name);
  }

  /** Lead Tab to a dot from now on. @param {number} dot */
  lead(dot) {
    this.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    this.tab = dot;
    if (this.isFocusable) this.element(dot)?.setAttribute("tabindex", "0");
  }

  /** @param {number} dot */
  element(dot) {
    return /** @type {SVGElement | undefined} */ (this.svg.childNodes[dot]);
  }

  /** Say what a line to this dot would do. @param {number} dot @param {Standing} standing @param {string} more */
  tell(dot, standing, more) {
    if (this.isFocusable) this.element(dot)?.setAttribute("aria-label", [dotLabel(dot, standing), more].filter(Boolean).join(", "));
  }

  /** Ring the dots aimed at and the one picked. @param {number[]} aimed @param {number | null} picked @param {number} seat @param {boolean} byKeys */
  point(aimed, picked, seat, byKeys) {
    this.svg.setAttribute("class", `marks seat-${seat}${byKeys ? " by-keys" : ""}`);
    this.svg.childNodes.forEach((node, dot) => {
      const mark = /** @type {SVGElement} */ (node);
      mark.toggleAttribute("data-aimed", aimed.includes(dot));
      mark.toggleAttribute("data-picked", dot === picked);
      if (mark.getAttribute("role") === "button") mark.setAttribute("aria-pressed", String(dot === picked));
    });
  }
}
