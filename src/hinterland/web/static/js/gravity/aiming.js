/**
 * Where a stone would go: follows mouse, finger and keys over a board and says so, knowing nothing of rules.
 *
 * A mouse aims by hovering and places by a click. A finger aims by a tap, adjusts by dragging (the aim moves with the
 * finger, which need not cover it) and leaves placing to a button. Keys move the aim; held, they move it faster.
 */

/** @typedef {"mouse" | "touch" | "keys"} Source */
/** @typedef {{ row: number, col: number, source: Source }} Spot */

/** A drag shorter than this, in CSS pixels, is a tap. */
const TAP = 8;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Aiming {
  /**
   * @param {HTMLElement} surface
   * @param {{ size(): number, active(): boolean, aimed(spot: Spot | null): void, placed(): void }} board
   */
  constructor(surface, board) {
    this.surface = surface;
    this.board = board;
    /** @type {Spot | null} */
    this.spot = null;
    /** @type {{ x: number, y: number, from: Spot | null, moved: boolean } | null} */
    this.drag = null;
    this.held = 0;
    /** @type {Spot | null} where the aim was last: keys go on from there */
    this.latest = null;
    /** @type {{ x: number, y: number } | null} where the mouse rests, for when the turn comes */
    this.mouse = null;
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", () => (this.drag = null));
    surface.addEventListener("pointerleave", (event) => this.#leave(event));
    surface.addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("keyup", () => (this.held = 0));
    surface.addEventListener("blur", () => this.spot?.source === "keys" && this.aim(null));
  }

  /** Take up the aim again after the position has changed. */
  renew() {
    if (!this.board.active()) this.aim(null);
    else if (this.mouse) this.aim({ ...this.#cellAt(this.mouse.x, this.mouse.y), source: "mouse" });
    else if (document.activeElement === this.surface && this.surface.matches(":focus-visible")) this.aim(this.#resume());
    else this.aim(null);
  }

  /** @param {Spot | null} spot */
  aim(spot) {
    this.spot = spot;
    if (spot) this.latest = spot;
    this.board.aimed(spot);
  }

  /** @returns {Spot} */
  #resume() {
    const middle = Math.floor(this.board.size() / 2);
    return this.#kept(this.latest?.row ?? middle, this.latest?.col ?? middle, "keys");
  }

  /** @param {number} x @param {number} y */
  #cellAt(x, y) {
    const box = this.surface.getBoundingClientRect();
    const size = this.board.size();
    const cell = (/** @type {number} */ at) => Math.min(size - 1, Math.max(0, Math.floor((at * size) / box.width)));
    return { row: cell(y - box.top), col: cell(x - box.left) };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType === "touch") this.#adjust(event);
    else {
      this.mouse = { x: event.clientX, y: event.clientY };
      if (this.board.active()) this.aim({ ...this.#cellAt(event.clientX, event.clientY), source: "mouse" });
    }
  }

  /** @param {PointerEvent} event */
  #adjust(event) {
    const { drag } = this;
    if (!drag || !this.board.active()) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    drag.moved ||= Math.hypot(dx, dy) > TAP;
    if (!drag.moved) return;
    const from = drag.from ?? { ...this.#cellAt(drag.x, drag.y), source: "touch" };
    const cells = this.board.size() / this.surface.clientWidth;
    this.aim(this.#kept(from.row + Math.round(dy * cells), from.col + Math.round(dx * cells), "touch"));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType !== "touch" || !this.board.active()) return;
    const from = this.spot?.source === "touch" ? this.spot : null;
    this.drag = { x: event.clientX, y: event.clientY, from, moved: false };
    if (!from) this.aim({ ...this.#cellAt(event.clientX, event.clientY), source: "touch" });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.board.active()) return;
    const { drag } = this;
    this.drag = null;
    const cell = this.#cellAt(event.clientX, event.clientY);
    if (event.pointerType === "touch") {
      if (drag && !drag.moved) this.aim({ ...cell, source: "touch" });
    } else if (event.button === 0) {
      this.aim({ ...cell, source: "mouse" });
      this.board.placed();
    }
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (event.pointerType === "touch") return;
    this.mouse = null;
    if (this.spot?.source === "mouse") this.aim(null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.board.active() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) this.#step(ARROWS[event.key], event);
    else if (event.key === "Enter" && this.spot) this.board.placed();
    else if (event.key === "Enter") this.aim(this.#resume());
    else if (event.key === "Escape" && this.spot) this.aim(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {[number, number]} direction @param {KeyboardEvent} event */
  #step([down, right], event) {
    if (!this.spot) return this.aim(this.#resume());
    const size = this.board.size();
    this.held = event.repeat ? this.held + 1 : 0;
    const quick = Math.min(Math.ceil(size / 100), 1 + Math.floor(this.held / 4));
    const step = event.shiftKey ? Math.max(2, Math.round(size / 20)) : quick;
    return this.aim(this.#kept(this.spot.row + down * step, this.spot.col + right * step, "keys"));
  }

  /** @param {number} row @param {number} col @param {Source} source @returns {Spot} */
  #kept(row, col, source) {
    const last = this.board.size() - 1;
    const keep = (/** @type {number} */ at) => Math.min(last, Math.max(0, at));
    return { row: keep(row), col: keep(col), source };
  }
}
