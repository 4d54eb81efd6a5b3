/**
 * The painted regions of one board: asks the worker for a picture, lets a region grow from its new stone, and keeps the
 * preview canvas that the worker draws on by itself.
 *
 * One picture at a time is asked for. Where positions come faster than pictures, those in between are left out: the
 * board is always on its way to the newest and never falls behind.
 */
import { make, prefersStill } from "../dom.js";
import { SQUARE_FROM } from "./paint.js";
import { between, readPalette, rgb, word } from "../board/palette.js";

/** @typedef {import("./worker.js").Asked} Asked */
/** @typedef {import("./worker.js").Painted} Painted */
/** @typedef {import("./worker.js").Previewed} Previewed */
/** @typedef {import("./field.js").Stone} Stone */
/** @typedef {import("./field.js").Plane} Plane */

const GROWING_MS = 240;
const MOST_PIXELS = 2200;
const PREVIEW_OPACITY = 0.92;

export class Regions {
  /**
   * @param {HTMLElement} board
   * @param {{ painted(message: Painted): void, previewed(message: Previewed): void }} listener
   */
  constructor(board, listener) {
    this.board = board;
    this.listener = listener;
    this.canvas = make("canvas", { class: "regions", "aria-hidden": "true" });
    this.preview = make("canvas", { class: "preview", "aria-hidden": "true" });
    this.fresh = document.createElement("canvas");
    this.options = { contours: true, contest: true, patterns: false };
    this.serial = 0;
    /** the serial of the position that previews are about */
    this.about = 0;
    /** @type {{ row: number, col: number } | null} where the next picture grows from */
    this.origin = null;
    /** @type {{ row: number, col: number } | null} where the picture that is being painted grows from */
    this.source = null;
    /** @type {Extract<Asked, { type: "position" }> | null} the newest position, until the worker has it */
    this.position = null;
    this.isStale = false;
    this.isPainting = false;
    this.growing = 0;
    this.busy = false;
    /** @type {{ row: number, col: number, weight: number } | null} */
    this.wanted = null;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.#heard(data));
    const canvas = this.preview.transferControlToOffscreen();
    this.worker.postMessage({ type: "canvas", canvas }, [canvas]);
  }

  close() {
    cancelAnimationFrame(this.growing);
    this.worker.terminate();
  }

  /**
   * @param {Plane} plane @param {Stone[]} stones @param {number | null} placer  the seat whose stone is previewed
   * @param {{ row: number, col: number } | null} origin
   */
  show(plane, stones, placer, origin) {
    const { mark, region } = readPalette(this.board).seats[placer ?? 0];
    this.wanted = null;
    this.busy = false;
    this.origin = prefersStill.matches || this.position ? null : origin;
    this.plane = plane;
    this.about = ++this.serial;
    this.position = { type: "position", serial: this.about, plane, stones, placer, colour: word(between(mark, region), PREVIEW_OPACITY) };
    this.paint();
  }

  /** Ask for the picture at the present size and in the present colours, as soon as the worker is free. */
  paint() {
    this.isStale = true;
    this.#send();
  }

  #send() {
    if (this.isPainting) return;
    if (this.position) {
      this.#ask(this.position);
      this.position = null;
      if (this.wanted) this.aim(this.wanted);
    }
    if (this.isStale) this.#sendLook();
  }

  #sendLook() {
    const ratio = devicePixelRatio || 1;
    const pixels = Math.min(MOST_PIXELS, Math.round(this.board.clientWidth * ratio));
    if (!this.plane || pixels < 1) return;
    this.isStale = false;
    this.isPainting = true;
    this.source = this.origin;
    this.origin = null;
    this.board.toggleAttribute("data-squares", pixels >= SQUARE_FROM * this.plane.size);
    const palette = readPalette(this.board);
    this.#ask({
      type: "paint",
      serial: ++this.serial,
      look: {
        pixels,
        ratio: pixels / this.board.clientWidth,
        regions: palette.seats.map((seat) => rgb(seat.region)),
        marks: palette.seats.map((seat) => rgb(seat.mark)),
        ground: rgb(palette.ground),
        hatch: rgb(palette.hatch),
        ...this.options,
      },
    });
  }

  /** What a stone here would take; of several questions only the newest is asked. @param {{ row: number, col: number, weight: number } | null} stone */
  aim(stone) {
    this.wanted = stone;
    if (!stone) {
      this.#ask({ type: "clear" });
      this.busy = false;
    } else if (!this.busy && !this.position) {
      this.busy = true;
      this.#ask({ type: "preview", about: this.about, ...stone });
    }
  }

  /** @param {Asked} asked */
  #ask(asked) {
    this.worker.postMessage(asked);
  }

  /** @param {Painted | Previewed} message */
  #heard(message) {
    if (message.type === "previewed") this.#previewed(message);
    else this.#painted(message);
  }

  /** @param {Previewed} message */
  #previewed(message) {
    const { wanted } = this;
    if (message.about !== this.about) return undefined;
    if (!wanted) return this.#ask({ type: "clear" });
    const isNewest = wanted.row === message.row && wanted.col === message.col && wanted.weight === message.weight;
    this.busy = !isNewest;
    if (isNewest) return this.listener.previewed(message);
    return this.#ask({ type: "preview", about: this.about, ...wanted });
  }

  /** @param {Painted} message */
  #painted(message) {
    const { pixels, data } = message;
    cancelAnimationFrame(this.growing);
    this.isPainting = false;
    this.fresh.width = this.fresh.height = pixels;
    this.fresh.getContext("2d")?.putImageData(new ImageData(data, pixels, pixels), 0, 0);
    const grows = this.source && this.canvas.width === pixels;
    if (this.canvas.width !== pixels) this.canvas.width = this.canvas.height = pixels;
    if (grows && this.source) this.#grow(this.source, performance.now());
    else this.canvas.getContext("2d")?.drawImage(this.fresh, 0, 0);
    if (!this.position) this.listener.painted(message);
    this.#send();
  }

  /** Uncover the new picture in a circle around its stone. @param {{ row: number, col: number }} origin @param {number} start */
  #grow(origin, start) {
    const context = this.canvas.getContext("2d");
    if (!context || !this.plane) return;
    const pixels = this.canvas.width;
    const x = ((origin.col + 0.5) * pixels) / this.plane.size;
    const y = ((origin.row + 0.5) * pixels) / this.plane.size;
    const reach = Math.hypot(Math.max(x, pixels - x), Math.max(y, pixels - y));
    const frame = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, now - start) / GROWING_MS);
      context.save();
      context.beginPath();
      context.arc(x, y, reach * part * (2 - part) + 1, 0, 2 * Math.PI);
      context.clip();
      context.drawImage(this.fresh, 0, 0);
      context.restore();
      if (part < 1) this.growing = requestAnimationFrame(frame);
    };
    frame(start);
  }
}
