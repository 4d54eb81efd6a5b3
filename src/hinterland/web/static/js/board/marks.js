/** Focusable marks on a board: Tab leads to one of them, arrow keys to the others. */
import { draw, setAttribute } from "../base/dom.js";

/** @import { Attributes } from "../base/dom.js" */
/** @import { Places } from "./places.js" */

/** Side of the square in which marks are drawn, in units of its SVG picture. */
export const SCALE = 1000;

/** An SVG picture that covers the whole board. @param {string} name  class name @param {...Element} children */
export const sheet = (name, ...children) => draw("svg", { class: name, viewBox: `0 0 ${SCALE} ${SCALE}` }, ...children);

/** @template {Places} Layout */
export class Marks {
  svg = sheet("marks");
  /** @type {Layout | null} */
  layout = null;
  /** Number of the mark to which Tab leads. */
  tab = 0;
  /** @type {(string | null)[]} what each is called; null: it cannot be focused */
  labels = [];

  /** @param {string} name  of one mark: each says its number in `data-<name>` @param {SVGElement} [group]  of which the marks are the children */
  constructor(name, group) {
    this.name = name;
    this.group = group ?? this.svg;
  }

  /** Take a new board. @param {Layout} layout @param {(mark: number) => Element[]} parts  of each mark */
  replace(layout, parts) {
    this.layout = layout;
    this.tab = 0;
    this.labels = [];
    const { name } = this;
    this.group.replaceChildren(...layout.places.map((_, mark) => this.place(mark, { class: name, [`data-${name}`]: mark }, ...parts(mark))));
  }

  /** Place an element at a mark. @param {number} mark @param {Attributes} attributes @param {...Element} children */
  place(mark, attributes, ...children) {
    const element = draw("g", attributes, ...children);
    this.move(element, mark);
    return element;
  }

  /** @param {Element} element @param {number} mark */
  move(element, mark) {
    const [x, y] = this.layout?.places[mark] ?? [0, 0];
    element.setAttribute("transform", `translate(${(SCALE * x).toFixed(1)} ${(SCALE * y).toFixed(1)})`);
  }

  /** @param {number} mark */
  element(mark) {
    return /** @type {SVGElement} */ (this.group.childNodes[mark]);
  }

  /** The number of the mark that an event's target belongs to, or null. @param {EventTarget | null} target */
  markOf(target) {
    const found = target instanceof Element ? target.closest(`[data-${this.name}]`) : null;
    return found && Number(found.getAttribute(`data-${this.name}`));
  }

  /** @param {(mark: SVGElement, number: number) => void} act */
  each(act) {
    this.group.childNodes.forEach((node, number) => act(/** @type {SVGElement} */ (node), number));
  }

  /** Label the marks, and make those that have a label focusable. @param {(string | null)[]} [labels] */
  label(labels = []) {
    this.labels = labels;
    if ((labels[this.tab] ?? null) === null) this.tab = Math.max(0, labels.findIndex((label) => label !== null));
    this.each((mark, number) => {
      const label = labels[number] ?? null;
      setAttribute(mark, "role", label && "button");
      setAttribute(mark, "tabindex", label && (number === this.tab ? "0" : "-1"));
      setAttribute(mark, "aria-label", label);
      if (label === null) mark.removeAttribute("aria-pressed");
    });
  }

  /** Let Tab lead to a mark, and add words to the mark's label. @param {number} number @param {string} more */
  lead(number, more) {
    if (typeof this.labels[number] === "string") this.tab = number;
    this.label(this.labels);
    if (more && this.tab === number) setAttribute(this.element(number), "aria-label", `${this.labels[number]}, ${more}`);
  }
}
