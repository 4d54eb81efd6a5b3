/**
 * The painted regions of one board. The worker paints them as a picture, which spreads over the old picture from the
 * new stone. The worker draws previews directly onto their canvas.
 *
 * Only one picture is requested at a time. If positions come faster than pictures, those in between are left out, so
 * that the board never falls behind.
 */
import { make, prefersStill } from "../base/dom.js";
import { between, readPalette, rgb, word } from "../board/palette.js";
import { SQUARE_FROM } from "./paint.js";

/** @import { Asked, Painted, PositionAsked, Previewed } from "./gravity-worker.js" */
/** @import { Look } from "./paint.js" */
/** @import { Plane, Stone } from "./pulls.js" */
/** @typedef {{ row: number, col: number }} Cell */

const GROWING_MS = 240;
const MAX_PIXELS = 2200;
const PREVIEW_OPACITY = 0.92;

export class Regions {
  canvas = make("canvas", { class: "regions", "aria-hidden": "true" });
  preview = make("canvas", { class: "preview", "aria-hidden": "true" });
  fresh = document.createElement("canvas");
  /** Number of the current position; previews of older positions are dropped. */
  about = 0;
  /** @type {Cell | null} where the next picture grows from */
  origin = null;
  /** @type {Cell | null} where the picture that is being painted grows from */
  source = null;
  /** @type {PositionAsked | null} the newest position, until the worker has it */
  position = null;
  isStale = false;
  isPainting = false;
  growing = 0;
  /** @type {Cell & { weight: number } | null} the stone to be previewed */
  wanted = null;
  /** Whether the worker is computing a preview. */
  busy = false;

  /**
   * @param {HTMLElement & { side: number, options: Pick<Look, "contours" | "contest" | "patterns"> }} board
   * @param {{ painted(message: Painted): void, previewed(message: Previewed): void }} listener
   */
  constructor(board, listener) {
    this.board = board;
    this.listener = listener;
    this.worker = new Worker(new URL("./gravity-worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => (data.type === "previewed" ? this.#previewed(data) : this.#painted(data)));
    const canvas = this.preview.transferControlToOffscreen();
    this.worker.postMessage({ type: "canvas", canvas }, [canvas]);
  }

  close() {
    cancelAnimationFrame(this.growing);
    this.worker.terminate();
  }

  /**
   * @param {Plane} plane @param {Stone[]} stones @param {number | null} placer  the seat whose stone is previewed
   * @param {Cell | null} origin
   */
  show(plane, stones, placer, origin) {
    const { stone, region } = readPalette(this.board).seats[placer ?? 0];
    this.wanted = null;
    this.busy = false;
    this.origin = prefersStill.matches || this.position ? null : origin;
    this.plane = plane;
    this.about++;
    this.position = { type: "position", plane, stones, placer, colour: word(between(stone, region), PREVIEW_OPACITY) };
    this.paint();
  }

  /** Request the picture at the current size and colours, as soon as the worker is free. */
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
    const { plane, board } = this;
    const pixels = Math.min(MAX_PIXELS, Math.round(board.side * (devicePixelRatio || 1)));
    if (!this.isStale || !plane || pixels < 1) return;
    this.isStale = false;
    this.isPainting = true;
    this.source = this.origin;
    this.origin = null;
    board.toggleAttribute("data-squares", pixels >= SQUARE_FROM * plane.size);
    const { seats, ground, hatch } = readPalette(board);
    const [regions, marks] = [seats.map(({ region }) => rgb(region)), seats.map(({ stone }) => rgb(stone))];
    const look = { pixels, ratio: pixels / board.side, regions, marks, ground: rgb(ground), hatch: rgb(hatch), ...board.options };
    this.#ask({ type: "paint", look });
  }

  /** Request the preview of a stone. While the worker is busy, only the newest request is kept. @param {Cell & { weight: number } | null} stone */
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

  /** @param {Previewed} message */
  #previewed(message) {
    const { wanted } = this;
    if (message.about !== this.about) return;
    if (!wanted) return this.#ask({ type: "clear" });
    this.busy = false;
    if (wanted.row === message.row && wanted.col === message.col && wanted.weight === message.weight) this.listener.previewed(message);
    else this.aim(wanted);
  }

  /** @param {Painted} message */
  #painted(message) {
    const { canvas, fresh, source } = this;
    const { pixels, data } = message;
    cancelAnimationFrame(this.growing);
    this.isPainting = false;
    fresh.width = fresh.height = pixels;
    fresh.getContext("2d")?.putImageData(new ImageData(data, pixels, pixels), 0, 0);
    if (source && canvas.width === pixels) this.#grow(source, performance.now());
    else {
      if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
      canvas.getContext("2d")?.drawImage(fresh, 0, 0);
    }
    if (!this.position) this.listener.painted(message);
    this.#send();
  }

  /** Uncover the new picture in a growing circle around the new stone. @param {Cell} origin @param {number} start */
  #grow({ row, col }, start) {
    const context = this.canvas.getContext("2d");
    if (!context || !this.plane) return;
    const pixels = this.canvas.width;
    const [x, y] = [col, row].map((cell) => ((cell + 0.5) * pixels) / /** @type {Plane} */ (this.plane).size);
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
