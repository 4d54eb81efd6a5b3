/** The marks of a graph board: vertices, values, tokens, and rings. */
import { draw, setText } from "../base/dom.js";
import { Marks, SCALE } from "../board/marks.js";
import { ownerText, vertexLabel } from "./graph-words.js";

/** @import { VertexLayout } from "./vertex-layout.js" */
/** @import { Network } from "./network.js" */
/** @import { Voronoi } from "./voronoi.js" */
/** @typedef {{ names: string[], viewer: number | null, isFocusable: boolean }} Audience  viewer: the seat of who looks on, if any */
/** @typedef {{ vertex: number, seat: number, words: string }} Suggested */

/** Smallest mean spacing of vertices, in CSS pixels, at which their values are shown. */
const MIN_VALUE_SPACING_PX = 34;
/** Smallest mean spacing of vertices, in CSS pixels, at which their numbers are shown. */
const MIN_NUMBER_SPACING_PX = 44;
/** Largest sizes on a page. `token`, `letters`: as shares of the board's side; `room`: letters as a share of the mean spacing of vertices. */
const BESIDE_BOARD = { token: 0.028, letters: 0.019, room: 0.17 };
/** The same sizes for a board on a wall. */
const ON_WALL = { token: 0.03, letters: 0.032, room: 0.32 };

/** @extends {Marks<VertexLayout>} */
export class VertexMarks extends Marks {
  tokens = draw("g", { class: "tokens", "aria-hidden": "true" });
  hinted = draw("g", { class: "hint", "aria-hidden": "true" }, draw("circle", { class: "halo" }), draw("circle", { class: "ring" }), draw("text"));
  pointer = draw("g", { class: "pointer", "aria-hidden": "true" }, draw("circle", { class: "halo" }), draw("circle", { class: "ring" }));

  /** The radius of a token, in CSS pixels. */
  token = 0;

  constructor() {
    super("vertex", draw("g", { class: "vertices" }));
    this.svg.append(this.group, this.tokens, this.hinted, this.pointer);
    this.point(null, "");
    this.hint(null);
  }

  /** Draw the vertices of a new board: each with its value, and beside it the number that moves use. @param {VertexLayout} layout @param {Network} network */
  lay(layout, { values, names }) {
    const numberOf = (/** @type {number} */ vertex) => (names ? `${vertex} ${names[vertex]}` : String(vertex));
    this.replace(layout, (vertex) => {
      const number = draw("text", { class: "name" }, numberOf(vertex));
      const [right, down] = layout.freeSide(vertex);
      for (const [name, value] of Object.entries({ radius: SCALE * layout.radii[vertex], right, down })) number.style.setProperty(`--${name}`, String(value));
      return [draw("circle", { r: SCALE * layout.radii[vertex] }), draw("text", { class: "value" }, String(values[vertex])), number];
    });
    this.tokens.replaceChildren();
  }

  /** Set the sizes of tokens and letters in CSS pixels: they stay readable on small boards. @param {number} side @param {boolean} isWall */
  fit(side, isWall) {
    const room = (this.layout?.spacing ?? 1) * side;
    const most = isWall ? ON_WALL : BESIDE_BOARD;
    this.token = Math.max(8, Math.min(most.token * side, 0.26 * room));
    this.svg.style.setProperty("--token", String(this.token));
    this.svg.style.setProperty("--letters", String(Math.max(9, Math.min(most.letters * side, most.room * room))));
    this.svg.toggleAttribute("data-crowded", room < MIN_VALUE_SPACING_PX);
    this.svg.toggleAttribute("data-roomy", room >= MIN_NUMBER_SPACING_PX);
  }

  /** @param {Voronoi} voronoi @param {Audience} audience */
  show(voronoi, { names, viewer, isFocusable }) {
    const { network, tokens } = voronoi;
    const discs = () => ["latest", "rim", "disc"].map((name) => draw("circle", { class: name }));
    this.tokens.replaceChildren(...tokens.map(({ vertex, seat }, k) => {
      const number = draw("text", { class: k > 98 ? "long" : "" }, String(k + 1));
      return this.place(vertex, { class: `token seat-${seat}`, "data-latest": k === tokens.length - 1 }, ...discs(), number);
    }));
    /** @type {string[]} */
    const labels = [];
    this.each((mark, vertex) => {
      const owner = voronoi.owner(vertex);
      const token = voronoi.holds(vertex);
      const look = `vertex${owner < 0 ? "" : ` seat-${owner}`}${token ? " held" : ""}`;
      if (mark.getAttribute("class") !== look) mark.setAttribute("class", look);
      if (isFocusable) labels.push(vertexLabel(network.called(vertex), network.values[vertex], ownerText(owner, viewer, names), token));
    });
    this.label(labels);
  }

  /** Mark the vertex aimed at. @param {number | null} vertex @param {string} manner  class names */
  point(vertex, manner) {
    this.pointer.style.display = vertex === null ? "none" : "";
    if (vertex === null) return;
    this.#ring(this.pointer, vertex);
    this.pointer.setAttribute("class", `pointer ${manner}`);
  }

  /** @param {Suggested | null} hint */
  hint(hint) {
    this.hinted.style.display = hint ? "" : "none";
    if (!hint) return;
    this.#ring(this.hinted, hint.vertex);
    this.hinted.setAttribute("class", `hint seat-${hint.seat}`);
    const text = /** @type {SVGElement} */ (this.hinted.lastElementChild);
    const isRight = (this.layout?.places[hint.vertex][0] ?? 0) > 0.6;
    text.setAttribute("data-side", isRight ? "left" : "right");
    setText(text, hint.words);
  }

  /** @param {SVGElement} ring @param {number} vertex */
  #ring(ring, vertex) {
    this.move(ring, vertex);
    ring.style.setProperty("--radius", String(SCALE * (this.layout?.radii[vertex] ?? 0)));
    ring.toggleAttribute("data-held", this.element(vertex).classList.contains("held"));
  }
}
