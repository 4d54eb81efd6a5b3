/**
 * Which vertex is meant: follows mouse, finger and keys over a board and says so, knowing nothing of rules.
 *
 * A mouse aims by hovering and places by a click. A finger aims by a tap, adjusts by dragging (the aim moves with the
 * finger, which need not cover it) and leaves placing to a button. Keys move the focus from vertex to vertex.
 */

/** @typedef {"mouse" | "touch" | "keys"} Source */
/** @typedef {{ vertex: number, source: Source }} Spot */
/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {{ marks: Marks, plan(): Plan | null, aimed(spot: Spot | null): void, placed(): void }} Board */

/** A drag shorter than this, in CSS pixels, is a tap. */
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
    /** @type {{ x: number, y: number, from: number | null, moved: boolean } | null} */
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
    if (mouse) this.aim(this.#spotAt(mouse.x, mouse.y, "mouse"));
    else this.aim(spot?.source === "keys" ? spot : null);
  }

  /** @param {Spot | null} spot */
  aim(spot) {
    this.spot = spot;
    this.board.aimed(spot);
  }

  /** @param {number} x @param {number} y @param {Source} source @returns {Spot | null} */
  #spotAt(x, y, source) {
    const box = this.surface.getBoundingClientRect();
    const vertex = this.board.plan()?.at({ x: (x - box.left) / box.width, y: (y - box.top) / box.height }) ?? null;
    return vertex === null ? null : { vertex, source };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType === "touch") return this.#adjust(event);
    this.mouse = { x: event.clientX, y: event.clientY };
    const spot = this.#spotAt(event.clientX, event.clientY, "mouse");
    if (spot?.vertex !== this.spot?.vertex || this.spot?.source !== "mouse") this.aim(spot);
    return undefined;
  }

  /** @param {PointerEvent} event */
  #adjust(event) {
    const { drag, surface } = this;
    const plan = this.board.plan();
    if (!drag || !plan) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    drag.moved ||= Math.hypot(dx, dy) > TAP;
    if (!drag.moved || drag.from === null) return;
    const [x, y] = plan.places[drag.from];
    const vertex = plan.at({ x: x + dx / surface.clientWidth, y: y + dy / surface.clientHeight });
    if (vertex !== null && vertex !== this.spot?.vertex) this.aim({ vertex, source: "touch" });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType !== "touch") return;
    const aimed = this.spot?.source === "touch" ? this.spot : null;
    const spot = aimed ?? this.#spotAt(event.clientX, event.clientY, "touch");
    this.drag = { x: event.clientX, y: event.clientY, from: spot?.vertex ?? null, moved: false };
    if (!aimed) this.aim(spot);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drag } = this;
    this.drag = null;
    if (event.pointerType === "touch") {
      if (drag && !drag.moved) this.aim(this.#spotAt(event.clientX, event.clientY, "touch"));
    } else if (event.button === 0) {
      this.aim(this.#spotAt(event.clientX, event.clientY, "mouse"));
      this.board.placed();
    }
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (event.pointerType === "touch") return;
    this.mouse = null;
    if (this.spot?.source === "mouse") this.aim(null);
  }

  /** A press that no pointer made: a screen reader's. @param {MouseEvent} event */
  #pressed({ target }) {
    const vertex = vertexOf(target);
    if (vertex === null) return;
    this.aim({ vertex, source: "keys" });
    this.board.placed();
  }

  /** @param {FocusEvent} event */
  #focused({ target }) {
    const vertex = vertexOf(target);
    if (vertex !== null && !(this.spot?.source === "keys" && this.spot.vertex === vertex)) this.aim({ vertex, source: "keys" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const vertex = vertexOf(event.target);
    if (vertex === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const plan = /** @type {Plan} */ (this.board.plan());
    if (event.key in ARROWS) this.#go(plan.next(vertex, ARROWS[event.key]));
    else if (event.key === "Home") this.#go(0);
    else if (event.key === "End") this.#go(plan.places.length - 1);
    else if (event.key === "Enter" || event.key === " ") this.#press(vertex);
    else if (event.key === "Escape" && this.spot) this.aim(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} vertex */
  #go(vertex) {
    this.mouse = null;
    this.aim({ vertex, source: "keys" });
    this.board.marks.element(vertex).focus();
  }

  /** @param {number} vertex */
  #press(vertex) {
    if (this.spot?.vertex !== vertex || this.spot.source !== "keys") this.aim({ vertex, source: "keys" });
    this.board.placed();
  }
}

/** @param {EventTarget | null} target */
function vertexOf(target) {
  const mark = target instanceof Element ? target.closest("[data-vertex]") : null;
  return mark ? Number(mark.getAttribute("data-vertex")) : null;
}
