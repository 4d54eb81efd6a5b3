/**
 * `<gravity-board>`: a square that draws a position of gravity and lets a person aim and place.
 *
 * Layers from the ground up: regions, heat map, forbidden discs, preview, stones, ghost. For tests and style sheets it
 * says on itself: data-ply, data-painted (ply of the picture shown), data-state (empty, idle, trial, placing, pending),
 * data-cursor ("row,col" of the aim), data-gain (cells the aim takes) and data-aim (legal, forbidden).
 */
import { make, prefersDark, setText } from "../dom.js";
import { gained } from "../format.js";
import { Aiming } from "./aiming.js";
import { obstacle } from "./field.js";
import { Loupe } from "./loupe.js";
import { readPalette } from "./palette.js";
import { Regions } from "./regions.js";
import { drawForbidden, drawHint, drawStones, stoneRadius } from "./stones.js";
import { boardLabel, gainText, spokenGain, spokenRefusal, tooNear } from "./words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Aim} Aim */
/** @typedef {import("./aiming.js").Spot} Spot */
/** @typedef {import("./field.js").Stone} Stone */

const NOTE_MS = 4000;
const SPEAK_AFTER_MS = 350;

export class GravityBoard extends HTMLElement {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Stone[]} */
  #stones = [];
  #weight = 1;
  /** @type {{ row: number, col: number, seat: number, words: string } | null} */
  #hint = null;
  #noteTimer = 0;
  #speakTimer = 0;
  #paintTimer = 0;
  /** @type {Move | null} sent, not yet answered */
  #pending = null;

  connectedCallback() {
    this.regions = new Regions(this, { painted: (message) => this.#painted(message.scores), previewed: (message) => this.#previewed(message) });
    this.heat = make("img", { class: "heat", alt: "", hidden: true });
    this.forbidden = make("canvas", { class: "forbidden", "aria-hidden": "true" });
    this.stonesLayer = make("canvas", { class: "stones", "aria-hidden": "true" });
    this.ghost = make("div", { class: "ghost", hidden: true });
    this.gain = make("div", { class: "gain", hidden: true });
    this.note = make("p", { class: "note", role: "alert" });
    this.voice = make("p", { class: "unseen", "aria-live": "polite" });
    this.loupe = new Loupe([this.regions.canvas, this.regions.preview, this.stonesLayer]);
    this.surface = make("div", { class: "surface", tabindex: 0, role: "img", "aria-label": "Gravity board, empty" });
    this.surface.append(this.regions.canvas, this.heat, this.forbidden, this.regions.preview, this.stonesLayer, this.ghost, this.gain, this.loupe.canvas);
    this.replaceChildren(this.surface, this.note, this.voice);
    this.aiming = new Aiming(this.surface, {
      size: () => this.size,
      active: () => this.dataset.state === "placing" || this.dataset.state === "trial",
      aimed: (spot) => this.#aimed(spot),
      placed: () => this.choose(),
    });
    this.dataset.state ??= "empty";
    this.#watch();
    if (this.#scene) this.show(this.#scene);
  }

  disconnectedCallback() {
    this.regions?.close();
    this.stop?.abort();
    this.resizes?.disconnect();
  }

  #watch() {
    this.stop = new AbortController();
    prefersDark.addEventListener("change", () => this.#redraw(), { signal: this.stop.signal });
    this.resizes = new ResizeObserver(() => {
      clearTimeout(this.#paintTimer);
      this.#paintTimer = window.setTimeout(() => this.#redraw(), this.dataset.painted ? 60 : 0);
    });
    this.resizes.observe(this);
  }

  get size() {
    return Number(this.#scene?.rules.size ?? 0);
  }

  /** The weight of an ordinary stone. */
  get #unit() {
    const { weight = null, stones = 1 } = this.#scene?.rules ?? {};
    return weight === null ? 1 : Number(weight) / Number(stones);
  }

  /** @param {Scene} scene */
  show(scene) {
    const before = this.#stones;
    this.#scene = scene;
    this.#stones = scene.moves.map(({ seat, move: [row, col, weight = 1] }) => ({ row, col, weight, seat }));
    this.#pending = null;
    this.#hint = null;
    this.dataset.ply = String(this.#stones.length);
    this.dataset.state = scene.trial ? "trial" : scene.placing ? "placing" : "idle";
    if (!this.regions || !this.surface) return;
    this.surface.setAttribute("role", scene.interactive ?? scene.placing ? "application" : "img");
    const isNext = this.#stones.length === before.length + 1 && before.every((stone, k) => isSame(stone, this.#stones[k]));
    const plane = { size: this.size, seats: scene.names.length, law: /** @type {"gravity" | "nearest"} */ (scene.rules.law) };
    this.regions.show(plane, this.#stones, scene.placing ? scene.toMove : null, isNext ? this.#stones[before.length] : null);
    this.#drawOver();
    this.aiming?.renew();
  }

  /** @param {string} name @param {boolean} on */
  option(name, on) {
    if (!this.regions) return;
    Object.assign(this.regions.options, { [name]: on });
    this.regions.paint();
  }

  /** Lay a picture of the whole board over the regions. @param {string | null} url */
  async overlay(url) {
    const { heat } = this;
    if (!heat) return;
    if (!url) {
      heat.hidden = true;
      heat.removeAttribute("src");
      return;
    }
    heat.src = url;
    await heat.decode();
    heat.hidden = false;
  }

  /** @param {{ best: Move, gain: number } | null} hint */
  suggest(hint) {
    const seat = this.#scene?.toMove ?? 0;
    this.#hint = hint && { row: hint.best[0], col: hint.best[1], seat, words: gained(hint.gain) };
    this.#drawOver();
    if (hint) this.announce(`Hint: ${spokenGain(hint.best[0], hint.best[1], hint.gain)}`);
  }

  /** The weight of the stone to place. @param {number} weight */
  setWeight(weight) {
    this.#weight = weight;
    this.aiming?.renew();
  }

  /** What a hint depends on besides the position. @returns {Record<string, string>} */
  parameters() {
    return this.#scene?.rules.weight == null ? {} : { weight: String(this.#weight) };
  }

  /** Say at the aim why a move was refused. @param {string} message */
  refuse(message) {
    if (!this.note) return;
    if (this.#pending && this.#scene?.placing) this.dataset.state = "placing";
    this.#pending = null;
    this.ghost?.classList.remove("pending");
    setText(this.note, message);
    this.note.classList.add("shown");
    clearTimeout(this.#noteTimer);
    this.#noteTimer = window.setTimeout(() => this.#forget(), NOTE_MS);
  }

  #forget() {
    this.note?.classList.remove("shown");
    if (this.note) setText(this.note, "");
  }

  /** Decide on the cell aimed at. */
  choose() {
    const spot = this.aiming?.spot;
    if (!spot || this.dataset.state !== "placing") return;
    const why = this.#refusal(spot);
    if (why) return this.refuse(why);
    this.#forget();
    const move = this.#moveAt(spot);
    this.#pending = move;
    this.dataset.state = "pending";
    this.ghost?.classList.add("pending");
    this.dispatchEvent(new CustomEvent("choose", { detail: { move } }));
  }

  /** @param {string} words */
  announce(words) {
    if (this.voice) setText(this.voice, words);
  }

  /** @param {Spot} spot @returns {Move} */
  #moveAt({ row, col }) {
    return this.#scene?.rules.weight == null ? [row, col] : [row, col, this.#weight];
  }

  /** @param {Spot} spot */
  #refusal({ row, col }) {
    const spacing = Number(this.#scene?.rules.spacing ?? 0);
    const near = obstacle(this.#stones, row, col, spacing);
    return near && tooNear(spacing, near);
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    const { ghost, gain, regions } = this;
    if (!ghost || !gain || !regions) return;
    ghost.hidden = gain.hidden = !spot;
    if (!spot) return this.#unaimed();
    const why = this.#refusal(spot);
    this.dataset.cursor = `${spot.row},${spot.col}`;
    this.dataset.aim = why ? "forbidden" : "legal";
    delete this.dataset.gain;
    this.#placeGhost(spot);
    if (this.#scene?.trial) return setText(gain, `spacing ${this.#scene.rules.spacing}`);
    if (spot.source !== "touch") this.loupe?.hide();
    regions.aim(why ? null : { row: spot.row, col: spot.col, weight: this.#scene?.rules.weight == null ? 1 : this.#weight });
    if (!why) return;
    setText(gain, why);
    this.#tell(spot, { move: this.#moveAt(spot), legal: false, words: why }, spokenRefusal(spot.row, spot.col, why));
    if (spot.source === "touch") this.#magnify(spot);
  }

  #unaimed() {
    delete this.dataset.cursor;
    delete this.dataset.gain;
    delete this.dataset.aim;
    this.regions?.aim(null);
    this.loupe?.hide();
    this.dispatchEvent(new CustomEvent("aim", { detail: null }));
  }

  /** @param {import("./worker.js").Previewed} message */
  #previewed({ gain, exact }) {
    const spot = this.aiming?.spot;
    if (!spot || !this.gain) return;
    this.dataset.gain = String(gain);
    const words = gainText(gain, exact);
    setText(this.gain, words);
    this.#tell(spot, { move: this.#moveAt(spot), legal: true, words }, spokenGain(spot.row, spot.col, gain));
    if (spot.source === "touch") requestAnimationFrame(() => this.#magnify(spot));
  }

  /** @param {Spot} spot @param {Aim} aim @param {string} spoken */
  #tell(spot, aim, spoken) {
    this.dispatchEvent(new CustomEvent("aim", { detail: spot.source === "mouse" ? null : aim }));
    clearTimeout(this.#speakTimer);
    if (spot.source !== "mouse") this.#speakTimer = window.setTimeout(() => this.announce(spoken), SPEAK_AFTER_MS);
  }

  /** @param {Spot} spot */
  #magnify(spot) {
    const palette = readPalette(this);
    const scale = this.clientWidth / this.size;
    const mark = palette.seats[this.#scene?.toMove ?? 0].mark;
    this.loupe?.show((spot.col + 0.5) * scale, (spot.row + 0.5) * scale, this.clientWidth, { ground: palette.ground, mark });
  }

  /** @param {Spot} spot */
  #placeGhost({ row, col, source }) {
    const { ghost, gain } = this;
    if (!ghost || !gain) return;
    const side = this.clientWidth;
    const x = ((col + 0.5) * side) / this.size;
    const y = ((row + 0.5) * side) / this.size;
    ghost.className = `ghost seat-${this.#scene?.toMove ?? 0} by-${source}`;
    ghost.style.setProperty("--radius", `${stoneRadius(side, this.size)}px`);
    ghost.style.setProperty("--spacing", `${(Number(this.#scene?.rules.spacing) * side) / this.size}px`);
    ghost.style.transform = `translate(${x}px, ${y}px)`;
    const flipX = x > side - 190 ? "calc(-100% - 22px)" : "22px";
    const flipY = y > side - 48 ? "calc(-100% - 10px)" : "10px";
    gain.style.transform = `translate(${x}px, ${y}px) translate(${flipX}, ${flipY})`;
  }

  /** @param {number[]} scores */
  #painted(scores) {
    this.dataset.painted = String(this.#stones.length);
    const { names = [], moves = [] } = this.#scene ?? {};
    this.surface?.setAttribute("aria-label", boardLabel(moves, names, scores, this.size ** 2));
    this.dispatchEvent(new CustomEvent("painted", { detail: { scores } }));
  }

  #redraw() {
    this.regions?.paint();
    this.#drawOver();
    if (this.aiming?.spot) this.#placeGhost(this.aiming.spot);
  }

  #drawOver() {
    if (!this.#scene || !this.stonesLayer || !this.forbidden || !this.clientWidth) return;
    const sheet = { side: this.clientWidth, ratio: devicePixelRatio || 1, size: this.size, unit: this.#unit, palette: readPalette(this) };
    drawForbidden(this.forbidden, sheet, this.#scene.placing ? this.#stones : [], Number(this.#scene.rules.spacing));
    drawStones(this.stonesLayer, sheet, this.#stones);
    if (this.#hint) drawHint(this.stonesLayer, sheet, this.#hint);
  }
}

/** @param {Stone} a @param {Stone} b */
function isSame(a, b) {
  return a.row === b.row && a.col === b.col && a.weight === b.weight && a.seat === b.seat;
}

customElements.define("gravity-board", GravityBoard);
