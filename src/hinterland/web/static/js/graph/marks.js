/** Everything on a graph board that is not ground: vertices, values, tokens, and rings around what is looked at. */
import { draw } from "../board/svg.js";
import { setText } from "../dom.js";
import { ownerText, vertexLabel } from "./words.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {{ names: string[], viewer: number | null }} Audience  viewer: the seat whose owner looks on, if any */
/** @typedef {{ vertex: number, seat: number, words: string }} Hint */

const SCALE = 1000;
/** Mean spacing in CSS pixels below which numbers would crowd the board. */
const ROOMY = 34;

export class Marks {
  constructor() {
    this.svg = draw("svg", { class: "marks", viewBox: `0 0 ${SCALE} ${SCALE}` });
    this.vertices = draw("g", { class: "vertices" });
    this.tokens = draw("g", { class: "tokens", "aria-hidden": "true" });
    this.hinted = draw("g", { class: "hint", "aria-hidden": "true" }, draw("circle", { class: "halo" }), draw("circle", { class: "ring" }), draw("text", {}));
    this.pointer = draw("g", { class: "pointer", "aria-hidden": "true" }, draw("circle", { class: "halo" }), draw("circle", { class: "ring" }));
    this.svg.append(this.vertices, this.tokens, this.hinted, this.pointer);
    this.tab = 0;
    this.isFocusable = false;
    /** @type {string[]} what each vertex is called now */
    this.labels = [];
    /** @type {string[]} and how it looks */
    this.looks = [];
    this.point(null, "");
    this.hint(null);
  }

  /** A new board. @param {Plan} plan @param {number[]} values */
  lay(plan, values) {
    this.plan = plan;
    this.values = values;
    this.tab = 0;
    this.labels = [];
    this.looks = [];
    this.vertices.replaceChildren(...values.map((value, vertex) => this.#vertex(plan, vertex, value)));
    this.isFocusable = false;
    this.tokens.replaceChildren();
  }

  /** @param {Plan} plan @param {number} vertex @param {number} value */
  #vertex({ radii }, vertex, value) {
    const text = draw("text", {});
    text.textContent = String(value);
    const disc = draw("circle", { r: SCALE * radii[vertex] });
    return draw("g", { class: "vertex", transform: this.#shift(vertex), "data-vertex": vertex }, disc, text);
  }

  /** @param {number} vertex */
  #shift(vertex) {
    const [x, y] = this.plan?.places[vertex] ?? [0, 0];
    return `translate(${(SCALE * x).toFixed(1)} ${(SCALE * y).toFixed(1)})`;
  }

  /** Sizes that do not grow with the board are in CSS pixels. @param {number} side */
  fit(side) {
    if (!this.plan) return;
    const room = this.plan.spacing * side;
    this.svg.style.setProperty("--px", String(SCALE / side));
    this.svg.style.setProperty("--token", String(Math.max(8, Math.min(0.028 * side, 0.26 * room))));
    this.svg.style.setProperty("--letters", String(Math.max(9, Math.min(0.019 * side, 0.17 * room))));
    this.svg.toggleAttribute("data-crowded", room < ROOMY);
  }

  /** @param {Standing} standing @param {Audience} audience */
  show(standing, { names, viewer }) {
    this.#showTokens(standing);
    this.vertices.childNodes.forEach((node, vertex) => {
      const owner = standing.owner(vertex);
      const token = standing.token[vertex] && standing.holds(vertex);
      const label = vertexLabel(standing.network.called(vertex), this.values?.[vertex] ?? 0, ownerText(owner, viewer, names), token);
      const look = `vertex${owner < 0 ? "" : ` seat-${owner}`}${token ? " held" : ""}`;
      const mark = /** @type {SVGElement} */ (node);
      if (look !== this.looks[vertex]) mark.setAttribute("class", look);
      if (this.isFocusable && (label !== this.labels[vertex] || vertex === this.tab)) mark.setAttribute("aria-label", label);
      this.looks[vertex] = look;
      this.labels[vertex] = label;
    });
  }

  /** @param {Standing} standing */
  #showTokens({ tokens }) {
    while (this.tokens.children.length > tokens.length) this.tokens.lastElementChild?.remove();
    [...this.tokens.children].forEach((node, k) => {
      if (node.getAttribute("data-token") !== `${tokens[k].vertex}/${tokens[k].seat}`) node.replaceWith(this.#token(tokens[k], k));
    });
    tokens.slice(this.tokens.children.length).forEach((token) => this.tokens.append(this.#token(token, this.tokens.children.length)));
    [...this.tokens.children].forEach((node, k) => node.toggleAttribute("data-latest", k === tokens.length - 1));
  }

  /** @param {{ vertex: number, seat: number }} token @param {number} k */
  #token({ vertex, seat }, k) {
    const number = draw("text", { class: k > 98 ? "long" : "" });
    number.textContent = String(k + 1);
    const discs = ["latest", "rim", "disc"].map((name) => draw("circle", { class: name }));
    return draw("g", { class: `token seat-${seat}`, transform: this.#shift(vertex), "data-token": `${vertex}/${seat}` }, ...discs, number);
  }

  /** Whether vertices can be reached by keys; one of them is where Tab leads. @param {boolean} on */
  focusable(on) {
    if (on === this.isFocusable) return;
    this.isFocusable = on;
    this.vertices.childNodes.forEach((node, vertex) => {
      const mark = /** @type {SVGElement} */ (node);
      const manner = { role: "button", tabindex: vertex === this.tab ? "0" : "-1", "aria-label": this.labels[vertex] ?? "" };
      for (const [name, value] of Object.entries(manner)) {
        if (on) mark.setAttribute(name, value);
        else mark.removeAttribute(name);
      }
    });
  }

  /** @param {number} vertex */
  element(vertex) {
    return /** @type {SVGElement} */ (this.vertices.childNodes[vertex]);
  }

  /** Lead Tab here from now on, and add to what is read out. @param {number} vertex @param {string} more */
  stop(vertex, more) {
    if (!this.isFocusable) return;
    const left = this.element(this.tab);
    left.setAttribute("tabindex", "-1");
    left.setAttribute("aria-label", this.labels[this.tab]);
    this.tab = vertex;
    const mark = this.element(vertex);
    mark.setAttribute("tabindex", "0");
    mark.setAttribute("aria-label", more ? `${this.labels[vertex]}, ${more}` : this.labels[vertex]);
  }

  /** Ring the vertex aimed at. @param {number | null} vertex @param {string} manner  class names */
  point(vertex, manner) {
    this.pointer.style.display = vertex === null ? "none" : "";
    if (vertex === null) return;
    this.#ring(this.pointer, vertex);
    this.pointer.setAttribute("class", `pointer ${manner}`);
  }

  /** @param {Hint | null} hint */
  hint(hint) {
    this.hinted.style.display = hint ? "" : "none";
    if (!hint) return;
    this.#ring(this.hinted, hint.vertex);
    this.hinted.setAttribute("class", `hint seat-${hint.seat}`);
    const text = /** @type {SVGElement} */ (this.hinted.lastElementChild);
    const isRight = (this.plan?.places[hint.vertex][0] ?? 0) > 0.6;
    text.setAttribute("data-side", isRight ? "left" : "right");
    setText(text, hint.words);
  }

  /** @param {SVGElement} ring @param {number} vertex */
  #ring(ring, vertex) {
    ring.setAttribute("transform", this.#shift(vertex));
    ring.style.setProperty("--radius", String(SCALE * (this.plan?.radii[vertex] ?? 0)));
    ring.toggleAttribute("data-held", this.element(vertex).classList.contains("held"));
  }
}
