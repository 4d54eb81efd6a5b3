/**
 * Which line is meant: follows mouse, finger and keys over a board and says so, knowing nothing of rules.
 *
 * A line is meant by two dots, one after the other or with a drag from one to the other, or by pointing at the line itself
 * where it may be drawn. A mouse aims by hovering and draws by a click; a finger aims by taps and leaves drawing to a
 * button; keys go from dot to dot and pick two.
 */
import { lineOf } from "./standing.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./plan.js").Line} Line */
/** @typedef {import("./plan.js").Point} Point */
/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {"mouse" | "touch" | "keys"} Source */
/** @typedef {{ dot: number | null, line: Line | null, source: Source }} Spot */
/** @typedef {{ plan: Plan, present: number[], legal: Line[] }} Choices */
/** @typedef {{ marks: Marks, choices(): Choices | null, aimed(spot: Spot | null): void, drawn(): void, missed(point: Point): void }} Board */

/** How far beside it a dot or a line can be meant, in CSS pixels. */
const REACH = { mouse: { dot: 16, line: 8 }, touch: { dot: 28, line: 14 } };
/** A drag shorter than this, in CSS pixels, is a click. */
const TAP = 8;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Aiming {
  /** @param {HTMLElement} surface @param {Board} board */
  constructor(surface, board) {
    this.surface = surface;
    this.board = board;
    /** @type {Spot | null} */
    this.spot = null;
    /** @type {number | null} the first of two dots */
    this.picked = null;
    /** @type {{ x: number, y: number, dot: number | null, moved: boolean } | null} */
    this.drag = null;
    /** @type {{ x: number, y: number } | null} where the mouse rests, for when the turn comes */
    this.mouse = null;
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", () => (this.drag = null));
    surface.addEventListener("pointerleave", (event) => this.#leave(event));
    surface.addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("focusin", (event) => this.#focused(event));
    surface.addEventListener("focusout", () => this.spot?.source === "keys" && this.aim(null));
    surface.addEventListener("click", (event) => this.#pressed(event));
  }

  /** Take up the aim again after the position has changed. */
  renew() {
    const { spot, mouse } = this;
    const present = this.board.choices()?.present ?? [];
    this.picked = null;
    if (mouse) this.aim(this.#spotAt(mouse.x, mouse.y, "mouse"));
    else if (spot?.source === "keys" && spot.dot !== null && !present.includes(spot.dot)) this.#go(present[0] ?? null);
    else this.aim(spot?.source === "keys" ? { ...spot, line: null } : null);
  }

  /** @param {Spot | null} spot */
  aim(spot) {
    this.spot = spot;
    this.board.aimed(spot);
  }

  /** @param {number | null} dot @param {Source} source */
  pick(dot, source) {
    this.picked = dot;
    this.aim(dot === null && source !== "keys" ? null : { dot: dot ?? this.spot?.dot ?? null, line: null, source });
  }

  /** @param {number} x @param {number} y @param {"mouse" | "touch"} source @returns {Spot | null} */
  #spotAt(x, y, source) {
    const choices = this.board.choices();
    if (!choices) return null;
    const point = pointOn(this.surface, x, y);
    const side = this.surface.clientWidth;
    const dot = choices.plan.dotAt(point, choices.present, REACH[source].dot / side);
    if (dot !== null) return { dot, line: this.#to(dot), source };
    if (this.picked !== null) return null;
    const line = choices.plan.lineAt(point, choices.legal, REACH[source].line / side);
    return line && { dot: null, line, source };
  }

  /** The line to a dot from the one picked. @param {number} dot */
  #to(dot) {
    return this.picked === null || this.picked === dot ? null : lineOf(this.picked, dot);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { drag } = this;
    if (drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TAP) this.#dragged(drag);
    if (event.pointerType === "touch" && !drag?.moved) return;
    const source = event.pointerType === "touch" ? "touch" : "mouse";
    if (source === "mouse") this.mouse = { x: event.clientX, y: event.clientY };
    this.#turnTo(this.#spotAt(event.clientX, event.clientY, source), source);
  }

  /** A drag picks the dot on which it began. @param {NonNullable<Aiming["drag"]>} drag */
  #dragged(drag) {
    if (drag.moved || drag.dot === null) return;
    drag.moved = true;
    this.picked = drag.dot;
  }

  /** @param {Spot | null} spot @param {Source} source */
  #turnTo(spot, source) {
    const before = this.spot;
    if (before?.source === source && spot?.dot === before.dot && spot?.line?.join() === before.line?.join()) return;
    if (spot || before) this.aim(spot);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const source = event.pointerType === "touch" ? "touch" : "mouse";
    this.drag = { x: event.clientX, y: event.clientY, dot: this.#spotAt(event.clientX, event.clientY, source)?.dot ?? null, moved: false };
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag || (event.pointerType !== "touch" && event.button !== 0)) return;
    const source = event.pointerType === "touch" ? "touch" : "mouse";
    const spot = this.#spotAt(event.clientX, event.clientY, source);
    if (!drag.moved && spot && spot.dot !== null && !spot.line) return this.pick(this.picked === spot.dot ? null : spot.dot, source);
    if (spot?.line) this.aim(spot);
    else this.pick(null, source);
    if (!spot) this.board.missed(pointOn(this.surface, event.clientX, event.clientY));
    else if (spot.line && source === "mouse") this.board.drawn();
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (event.pointerType === "touch") return;
    this.mouse = this.drag = null;
    if (this.spot?.source === "mouse") this.aim(null);
  }

  /** A press that no pointer made: a screen reader's. @param {MouseEvent} event */
  #pressed({ target }) {
    const dot = dotOf(target);
    if (dot !== null) this.#press(dot);
  }

  /** @param {FocusEvent} event */
  #focused({ target }) {
    const dot = dotOf(target);
    if (dot === null || this.drag) return;
    if (this.spot?.source !== "keys" || this.spot.dot !== dot) this.aim({ dot, line: this.#to(dot), source: "keys" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const dot = dotOf(event.target);
    const choices = this.board.choices();
    if (dot === null || !choices || event.ctrlKey || event.metaKey || event.altKey) return;
    const { present, plan } = choices;
    if (event.key in ARROWS) this.#go(plan.next(dot, ARROWS[event.key], present));
    else if (event.key === "Home") this.#go(present[0]);
    else if (event.key === "End") this.#go(present[present.length - 1]);
    else if (event.key === "Enter" || event.key === " ") this.#press(dot);
    else if (event.key === "Escape" && this.picked !== null) this.pick(null, "keys");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number | null} dot */
  #go(dot) {
    this.mouse = null;
    if (dot === null) return this.aim(null);
    this.aim({ dot, line: this.#to(dot), source: "keys" });
    this.board.marks.element(dot)?.focus();
  }

  /** The first press picks a dot, the next draws to another. @param {number} dot */
  #press(dot) {
    const line = this.#to(dot);
    if (!line) return this.pick(this.picked === dot ? null : dot, "keys");
    this.aim({ dot, line, source: "keys" });
    this.board.drawn();
  }
}

/** Where a point of the screen is on the board. @param {HTMLElement} surface @param {number} x @param {number} y @returns {Point} */
export function pointOn(surface, x, y) {
  const box = surface.getBoundingClientRect();
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}

/** @param {EventTarget | null} target */
function dotOf(target) {
  const mark = target instanceof Element ? target.closest("[data-dot]") : null;
  return mark ? Number(mark.getAttribute("data-dot")) : null;
}
