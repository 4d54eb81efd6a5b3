/**
 * `<gravity-board>`: draws a position of gravity and lets a person aim and place.
 *
 * Layers from the ground up: regions, heat map, forbidden discs, preview, stones, and the ghost, a stone that is not
 * placed yet. The attribute data-cursor is "row,col"; data-aim is legal or forbidden; data-gain is in cells.
 */
import { make } from "../base/dom.js";
import { formatGain, sentence } from "../base/format.js";
import { t } from "../base/words.js";
import { Board } from "../board/board.js";
import { Loupe, loupeDisc } from "../board/loupe.js";
import { readPalette } from "../board/palette.js";
import { CellAiming } from "./cell-aiming.js";
import { boardLabel, gainText, moveText, spokenGain, spokenRefusal, tooNear } from "./gravity-words.js";
import { HeatPicture } from "./heat-picture.js";
import { isSame, obstacle } from "./pulls.js";
import { Regions } from "./regions.js";
import { BOLDNESS, drawForbidden, drawHint, drawStones, marginOf, stoneRadius } from "./stones.js";

/** @import { Hint, Move, Scene } from "../base/types.js" */
/** @import { Spot } from "./cell-aiming.js" */
/** @import { Previewed } from "./gravity-worker.js" */
/** @import { Plane, Stone } from "./pulls.js" */

const SPEAK_AFTER_MS = 350;
/** Milliseconds that a preview and the spacing discs take to fade in. */
const FRESH_MS = 250;

export class GravityBoard extends Board {
  options = { contours: true, contest: true, patterns: false };
  /** @type {GravityPosition | null} */
  #position = null;
  #weight = 1;
  /** @type {{ row: number, col: number, seat: number, words: string } | null} */
  #hint = null;
  #speakTimer = 0;
  /** Margin around the cells, in CSS pixels. */
  #margin = 0;
  /** Radius of a stone as a share of the side; larger on a wall. */
  #boldness = 0;
  /** The stone at the aim, which is not placed yet. */
  #ghost = make("div", { class: "ghost", hidden: true });
  #loupe = new Loupe();
  #heat = new HeatPicture();
  #forbidden = make("canvas", { class: "forbidden", "aria-hidden": "true" });
  #stones = make("canvas", { class: "stones", "aria-hidden": "true" });
  #aiming = new CellAiming(this.surface, {
    size: () => this.#position?.size ?? 1,
    active: () => this.isOpen,
    aimed: (spot) => this.#aimed(spot),
    chosen: () => this.choose(),
  });

  /** @override */
  get layers() {
    const { canvas, preview } = /** @type {Regions} */ (this.regions);
    return [canvas, this.#heat.canvas, this.#forbidden, preview, this.#stones, this.#heat.legend.element, this.#ghost, this.#loupe.canvas];
  }

  /** @override */
  connectedCallback() {
    this.regions = new Regions(this, {
      painted: ({ scores }) => this.painted(boardLabel(/** @type {Scene} */ (this.scene), scores), scores),
      previewed: (message) => this.#previewed(message),
    });
    super.connectedCallback();
  }

  /** @override */
  disconnectedCallback() {
    this.regions?.close();
    super.disconnectedCallback();
  }

  /** @override @param {Scene} scene */
  show(scene) {
    const position = new GravityPosition(scene);
    const origin = position.newStone(this.#position);
    this.#position = position;
    this.#hint = null;
    this.#fit();
    super.show(scene);
    this.surface.tabIndex = this.surface.role === "application" ? 0 : -1;
    this.regions?.show(position.plane, position.stones, scene.placing ? scene.toMove : null, origin);
    this.#ghost.classList.remove("pending");
    this.#drawOver();
    this.#aiming.renew();
  }

  /** Show the heat map at an address; null hides the heat map. @param {string | null} url */
  async overlay(url) {
    const { size = 1, stones = [] } = this.#position ?? {};
    await this.#heat.show(url, stones.map(({ row, col }) => [col / size, row / size]));
  }

  /** @param {Hint | null} hint */
  suggest(hint) {
    this.#hint = hint && { row: hint.best[0], col: hint.best[1], seat: hint.seat ?? this.seat, words: formatGain(hint.gain) };
    this.#drawOver();
    if (hint && !hint.quiet) this.announce(t("Hint: {hint}", { hint: spokenGain(hint.best[0], hint.best[1], hint.gain) }));
  }

  /** @override @param {Move} move @returns {[number, number][]} */
  spotsOf([row, col]) {
    const size = this.#position?.size ?? 1;
    return [[(col + 0.5) / size, (row + 0.5) / size]];
  }

  /** Set the weight of the stone to place. @param {number} weight */
  setWeight(weight) {
    this.#weight = weight;
    this.#aiming.renew();
  }

  /** What a request for a hint says besides the position: the weight of the stone. @returns {Record<string, string>} */
  parameters() {
    return this.#position?.isWeighted ? { weight: String(this.#weight) } : {};
  }

  /** @override @param {string} message */
  refuse(message) {
    this.#ghost.classList.remove("pending");
    super.refuse(message);
  }

  /** @override */
  decision() {
    const { spot } = this.#aiming;
    if (!spot || !this.#position) return null;
    return { move: this.#position.moveAt(spot.row, spot.col, this.#weight), fault: this.#position.refusal(spot.row, spot.col) };
  }

  /** @override */
  choose() {
    const isChosen = super.choose();
    if (isChosen) this.#ghost.classList.add("pending");
    return isChosen;
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    const position = this.#position;
    if (!spot || !position) return this.unaimed();
    const { row, col } = spot;
    const fault = position.refusal(row, col);
    this.note(`${row},${col}`, fault ? "forbidden" : "legal");
    this.#showGhost(spot);
    if (this.dataset.state === "setup") return this.callout.say(t("spacing {spacing}", { spacing: position.spacing }));
    if (!fault && position.scene.blind) return this.#tellPlace(spot);
    this.regions?.aim(fault ? null : { row, col, weight: position.isWeighted ? this.#weight : 1 });
    if (!fault) return undefined;
    this.callout.say(fault);
    return this.#tell(spot, false, fault, spokenRefusal(row, col, fault));
  }

  /** Say which cell is aimed at, without what a stone there gains. @param {Spot} spot */
  #tellPlace(spot) {
    const words = moveText([spot.row, spot.col]);
    this.callout.say(words);
    this.#tell(spot, true, words, sentence(words));
  }

  /** @override */
  unaimed() {
    super.unaimed();
    this.#ghost.hidden = true;
    this.regions?.aim(null);
    this.#loupe.canvas.hidden = true;
  }

  /** @param {Previewed} message */
  #previewed({ gain, exact }) {
    const { spot } = this.#aiming;
    if (!spot) return;
    const words = gainText(gain, exact);
    this.dataset.gain = String(gain);
    this.callout.say(words);
    this.#tell(spot, true, words, spokenGain(spot.row, spot.col, gain));
  }

  /** @param {Spot} spot @param {boolean} legal @param {string} words @param {string} spoken */
  #tell(spot, legal, words, spoken) {
    const { row, col, source } = spot;
    this.offer({ move: this.#position?.moveAt(row, col, this.#weight) ?? [], legal, words }, source);
    clearTimeout(this.#speakTimer);
    if (source !== "mouse") this.#speakTimer = window.setTimeout(() => this.announce(spoken), SPEAK_AFTER_MS);
    if (source === "touch") this.#magnify(spot, performance.now() + FRESH_MS);
    else this.#loupe.canvas.hidden = true;
  }

  /** Magnify the aim now and in each frame until `until`, while its drawing fades in. @param {Spot} spot @param {number} until */
  #magnify(spot, until) {
    if (this.#aiming.spot !== spot || !this.regions) return;
    if (performance.now() < until) requestAnimationFrame(() => this.#magnify(spot, until));
    const { ground, seats } = readPalette(this);
    const layers = [this.regions.canvas, this.#forbidden, this.regions.preview, this.#stones].map((canvas) => ({
      canvas,
      margin: canvas === this.#stones ? this.#margin : 0,
      opacity: Number(getComputedStyle(canvas).opacity),
    }));
    this.#loupe.show(layers, this.#aiming.placeOf(spot), this.side, { ground, mark: seats[this.seat].stone });
  }

  /** @param {Spot} spot */
  #showGhost(spot) {
    const { size, spacing } = /** @type {GravityPosition} */ (this.#position);
    const { side } = this;
    const at = this.#aiming.placeOf(spot);
    const ghost = this.#ghost;
    ghost.hidden = false;
    ghost.className = `ghost seat-${this.seat} by-${spot.source}`;
    const radius = stoneRadius(side, size, this.#boldness);
    ghost.style.setProperty("--radius", `${radius}px`);
    ghost.style.setProperty("--spacing", `${(spacing * side) / size}px`);
    ghost.style.transform = `translate(${at.x * side}px, ${at.y * side}px)`;
    this.call(at, undefined, radius);
  }

  /** @override */
  get pieces() {
    const { size = 1, stones = [] } = this.#position ?? {};
    const { side } = this;
    const radius = stoneRadius(side, size, this.#boldness);
    const { spot } = this.#aiming;
    const loupe = spot?.source === "touch" ? [loupeDisc(this.#aiming.placeOf(spot), side)] : [];
    return [...loupe, ...stones.map(({ row, col }) => ({ x: ((col + 0.5) * side) / size, y: ((row + 0.5) * side) / size, radius }))];
  }

  /** @override */
  draw() {
    this.#fit();
    super.draw();
  }

  /** Leave a margin around the cells, so that a stone at the edge is whole. */
  #fit() {
    const { size = 1, isWeighted = false } = this.#position ?? {};
    const room = (0.46 * (this.#position?.spacing ?? 0)) / size;
    const wished = Number(getComputedStyle(this).getPropertyValue("--stone"));
    this.#boldness = Math.max(BOLDNESS, Math.min(wished, room));
    this.#margin = marginOf(this.clientWidth, size, isWeighted, this.#boldness);
    this.style.setProperty("--margin", `${this.#margin}px`);
  }

  /** @override */
  paint() {
    this.regions?.paint();
    this.#drawOver();
    if (this.#aiming.spot) this.#showGhost(this.#aiming.spot);
  }

  #drawOver() {
    const { side } = this;
    if (!this.#position || !this.isConnected || !side) return;
    const { size, unit, stones, spacing, scene } = this.#position;
    const sheet = { side, margin: this.#margin, boldness: this.#boldness, ratio: devicePixelRatio || 1, size, unit, palette: readPalette(this) };
    drawForbidden(this.#forbidden, sheet, scene.placing ? stones : [], spacing);
    drawStones(this.#stones, sheet, stones);
    if (this.#hint) drawHint(this.#stones, sheet, this.#hint);
  }
}

/** A scene as the board reads it: the stones, the size and law of the board, and where the next stone may go. */
class GravityPosition {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Stone[]} */
    this.stones = scene.moves.map(({ seat, move: [row, col, weight = 1] }) => ({ row, col, weight, seat }));
    this.size = Number(scene.rules.size);
    this.spacing = Number(scene.rules.spacing);
    this.isWeighted = scene.rules.weight !== null && scene.rules.weight !== undefined;
    /** The mean weight of a player's stones. */
    this.unit = this.isWeighted ? Number(scene.rules.weight) / Number(scene.rules.stones) : 1;
    /** @type {Plane} */
    this.plane = { size: this.size, seats: scene.names.length, law: scene.rules.law === "nearest" ? "nearest" : "gravity" };
  }

  /** The latest stone, if this position has all stones of `before` and this one more; else null. @param {GravityPosition | null} before */
  newStone(before) {
    const earlier = before?.stones ?? [];
    const follows = this.stones.length === earlier.length + 1 && earlier.every((stone, k) => isSame(stone, this.stones[k]));
    return follows ? this.stones[earlier.length] : null;
  }

  /** Why no stone may be placed on a cell; empty if a stone may. @param {number} row @param {number} col */
  refusal(row, col) {
    const near = obstacle(this.stones, row, col, this.spacing);
    return near ? tooNear(this.spacing, near) : "";
  }

  /** @param {number} row @param {number} col @param {number} weight @returns {Move} */
  moveAt(row, col, weight) {
    return this.isWeighted ? [row, col, weight] : [row, col];
  }
}

customElements.define("gravity-board", GravityBoard);
