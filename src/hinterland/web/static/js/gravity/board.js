/**
 * `<gravity-board>`: a square that draws a position of gravity and lets a person aim and place.
 *
 * Layers from the ground up: regions, heat map, forbidden discs, preview, stones, ghost. For tests and style sheets it
 * says on itself: data-ply, data-painted (ply of the picture shown), data-state (empty, idle, trial, placing, pending),
 * data-cursor ("row,col" of the aim), data-aim (legal, forbidden) and data-gain (cells the aim takes).
 */
import { make, prefersDark, setText } from "../dom.js";
import { gained } from "../format.js";
import { Aiming } from "./aiming.js";
import { Ghost } from "./ghost.js";
import { Loupe } from "./loupe.js";
import { readPalette } from "../board/palette.js";
import { Position } from "./position.js";
import { Regions } from "./regions.js";
import { drawForbidden, drawHint, drawStones, stoneRadius } from "./stones.js";
import { boardLabel, gainText, spokenGain, spokenRefusal } from "./words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").Aim} Aim */
/** @typedef {import("./aiming.js").Spot} Spot */

const SPEAK_AFTER_MS = 350;
const SETTLE_MS = 60;

export class GravityBoard extends HTMLElement {
  /** @type {Position | null} */
  #position = null;
  #weight = 1;
  /** @type {{ row: number, col: number, seat: number, words: string } | null} */
  #hint = null;
  #speakTimer = 0;
  #paintTimer = 0;
  #ghost = new Ghost();
  #heat = make("img", { class: "heat", alt: "", hidden: true });
  #forbidden = make("canvas", { class: "forbidden", "aria-hidden": "true" });
  #stones = make("canvas", { class: "stones", "aria-hidden": "true" });
  #voice = make("p", { class: "unseen", "aria-live": "polite" });
  #surface = make("div", { class: "surface", tabindex: -1, role: "img", "aria-label": "Gravity board, empty" });
  #aiming = new Aiming(this.#surface, {
    size: () => this.#position?.size ?? 1,
    active: () => this.dataset.state === "placing" || this.dataset.state === "trial",
    aimed: (spot) => this.#aimed(spot),
    placed: () => this.choose(),
  });

  connectedCallback() {
    this.regions = new Regions(this, {
      painted: (message) => this.#painted(message.scores),
      previewed: (message) => this.#previewed(message),
    });
    this.loupe = new Loupe([this.regions.canvas, this.regions.preview, this.#stones]);
    this.#surface.replaceChildren(
      ...[this.regions.canvas, this.#heat, this.#forbidden, this.regions.preview, this.#stones],
      ...[this.#ghost.stone, this.#ghost.callout.label, this.loupe.canvas],
    );
    this.replaceChildren(this.#surface, this.#ghost.callout.note, this.#voice);
    this.dataset.state ??= "empty";
    this.#watch();
    if (this.#position) this.show(this.#position.scene);
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
      this.#paintTimer = window.setTimeout(() => this.#redraw(), this.dataset.painted ? SETTLE_MS : 0);
    });
    this.resizes.observe(this);
  }

  /** @param {Scene} scene */
  show(scene) {
    const position = new Position(scene);
    const origin = position.newStone(this.#position);
    this.#position = position;
    this.#hint = null;
    this.dataset.ply = String(position.stones.length);
    this.dataset.state = position.state;
    const interactive = scene.interactive ?? scene.placing;
    this.#surface.setAttribute("role", interactive ? "application" : "img");
    this.#surface.tabIndex = interactive ? 0 : -1;
    this.regions?.show(position.plane, position.stones, scene.placing ? scene.toMove : null, origin);
    this.#ghost.wait(false);
    this.#drawOver();
    this.#aiming.renew();
  }

  /** @param {string} name @param {boolean} on */
  option(name, on) {
    if (!this.regions) return;
    Object.assign(this.regions.options, { [name]: on });
    this.regions.paint();
  }

  /** Lay a picture of the whole board over the regions. @param {string | null} url */
  async overlay(url) {
    this.#heat.hidden = true;
    if (!url) return this.#heat.removeAttribute("src");
    this.#heat.src = url;
    await this.#heat.decode();
    this.#heat.hidden = this.#heat.getAttribute("src") !== url;
  }

  /** @param {import("../types.js").Hint | null} hint */
  suggest(hint) {
    const seat = hint?.seat ?? this.#position?.seat ?? 0;
    this.#hint = hint && { row: hint.best[0], col: hint.best[1], seat, words: gained(hint.gain) };
    this.#drawOver();
    if (hint && !hint.quiet) this.announce(`Hint: ${spokenGain(hint.best[0], hint.best[1], hint.gain)}`);
  }

  /** The weight of the stone to place. @param {number} weight */
  setWeight(weight) {
    this.#weight = weight;
    this.#aiming.renew();
  }

  /** What a hint depends on besides the position. @returns {Record<string, string>} */
  parameters() {
    return this.#position?.isWeighted ? { weight: String(this.#weight) } : {};
  }

  /** Say at the aim why a move was refused. @param {string} message */
  refuse(message) {
    if (this.dataset.state === "pending") this.dataset.state = "placing";
    this.#ghost.wait(false);
    this.#ghost.callout.refuse(message);
  }

  /** Decide on the cell aimed at. */
  choose() {
    const { spot } = this.#aiming;
    if (!spot || !this.#position || this.dataset.state !== "placing") return;
    const why = this.#position.refusal(spot.row, spot.col);
    if (why) return this.refuse(why);
    this.#ghost.callout.forget();
    this.#ghost.wait(true);
    this.dataset.state = "pending";
    const move = this.#position.moveAt(spot.row, spot.col, this.#weight);
    this.dispatchEvent(new CustomEvent("choose", { detail: { move } }));
  }

  /** @param {string} words */
  announce(words) {
    setText(this.#voice, words);
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    const position = this.#position;
    if (!spot || !position) return this.#unaimed();
    const { row, col } = spot;
    const why = position.refusal(row, col);
    if (this.dataset.cursor !== `${row},${col}`) this.#ghost.callout.forget();
    this.dataset.cursor = `${row},${col}`;
    this.dataset.aim = why ? "forbidden" : "legal";
    delete this.dataset.gain;
    this.#showGhost(spot);
    if (position.state === "trial") return this.#ghost.callout.say(`spacing ${position.spacing}`);
    this.regions?.aim(why ? null : { row, col, weight: position.isWeighted ? this.#weight : 1 });
    if (!why) return undefined;
    this.#ghost.callout.say(why);
    return this.#tell(spot, false, why, spokenRefusal(row, col, why));
  }

  #unaimed() {
    delete this.dataset.cursor;
    delete this.dataset.gain;
    delete this.dataset.aim;
    this.#ghost.hide();
    this.regions?.aim(null);
    this.loupe?.hide();
    this.dispatchEvent(new CustomEvent("aim", { detail: null }));
  }

  /** @param {import("./worker.js").Previewed} message */
  #previewed({ gain, exact }) {
    const { spot } = this.#aiming;
    if (!spot) return;
    const words = gainText(gain, exact);
    this.dataset.gain = String(gain);
    this.#ghost.callout.say(words);
    this.#tell(spot, true, words, spokenGain(spot.row, spot.col, gain));
  }

  /** @param {Spot} spot @param {boolean} legal @param {string} words @param {string} spoken */
  #tell(spot, legal, words, spoken) {
    const isMouse = spot.source === "mouse";
    const move = this.#position?.moveAt(spot.row, spot.col, this.#weight);
    this.dispatchEvent(new CustomEvent("aim", { detail: isMouse ? null : { move, legal, words } }));
    clearTimeout(this.#speakTimer);
    if (!isMouse) this.#speakTimer = window.setTimeout(() => this.announce(spoken), SPEAK_AFTER_MS);
    if (spot.source === "touch") requestAnimationFrame(() => this.#magnify(spot));
    else this.loupe?.hide();
  }

  /** @param {Spot} spot */
  #magnify({ row, col }) {
    if (!this.#position || !this.#aiming.spot) return;
    const { ground, seats } = readPalette(this);
    const scale = this.clientWidth / this.#position.size;
    this.loupe?.show((col + 0.5) * scale, (row + 0.5) * scale, this.clientWidth, { ground, mark: seats[this.#position.seat].mark });
  }

  /** @param {Spot} spot */
  #showGhost(spot) {
    if (!this.#position) return;
    const { size, seat, spacing } = this.#position;
    const side = this.clientWidth;
    this.#ghost.show(spot, { side, size, seat, radius: stoneRadius(side, size), spacing: (spacing * side) / size });
  }

  /** @param {number[]} scores */
  #painted(scores) {
    if (!this.#position) return;
    const { size, stones, scene } = this.#position;
    this.dataset.painted = String(stones.length);
    this.#surface.setAttribute("aria-label", boardLabel(scene.moves, scene.names, scores, size ** 2));
    this.dispatchEvent(new CustomEvent("painted", { detail: { scores } }));
  }

  #redraw() {
    this.regions?.paint();
    this.#drawOver();
    if (this.#aiming.spot) this.#showGhost(this.#aiming.spot);
  }

  #drawOver() {
    if (!this.#position || !this.isConnected || !this.clientWidth) return;
    const { size, unit, stones, spacing, scene } = this.#position;
    const sheet = { side: this.clientWidth, ratio: devicePixelRatio || 1, size, unit, palette: readPalette(this) };
    drawForbidden(this.#forbidden, sheet, scene.placing ? stones : [], spacing);
    drawStones(this.#stones, sheet, stones);
    if (this.#hint) drawHint(this.#stones, sheet, this.#hint);
  }
}

customElements.define("gravity-board", GravityBoard);
