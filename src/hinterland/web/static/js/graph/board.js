/**
 * `<graph-board>`: a square that draws a position of the game on graphs and lets a person aim and place.
 *
 * Layers from the ground up: regions and edges, the ground before (fading), heat map, preview, marks, words. For tests and
 * style sheets it says on itself: data-ply, data-scores, data-painted (ply of the picture shown), data-state (empty, idle, trial,
 * placing, pending), data-cursor (the vertex aimed at), data-aim (legal, taken) and data-gain (what the aim takes).
 */
import { Callout } from "../board/callout.js";
import { between, readPalette } from "../board/palette.js";
import { make, prefersDark, prefersStill, setText } from "../dom.js";
import { gained } from "../format.js";
import { Aiming } from "./aiming.js";
import { Ground } from "./ground.js";
import { Heat } from "./heat.js";
import { Marks } from "./marks.js";
import { Network } from "./network.js";
import { Plan } from "./plan.js";
import { Standing } from "./standing.js";
import { boardLabel, gainText, ownerText, takenText, vertexText } from "./words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("./aiming.js").Spot} Spot */
/** @typedef {import("./network.js").DrawingData} DrawingData */
/** @typedef {import("./standing.js").Taken} Taken */
/** @typedef {{ drawingData: DrawingData, plan: Plan, standing: Standing, ground: Ground }} Laid */

const FADE_MS = 200;
const SETTLE_MS = 60;

export class GraphBoard extends HTMLElement {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Laid | null} */
  #laid = null;
  /** @type {Taken | null} */
  #taken = null;
  /** @type {number | null} the seat of who looks on, as far as the turns have told */
  #viewer = null;
  #options = { edges: true, values: true, patterns: false };
  #timer = 0;
  /** @type {import("../board/palette.js").Palette | null} as last drawn with */
  #palette = null;
  #ground = make("canvas", { class: "ground", "aria-hidden": "true" });
  #before = make("canvas", { class: "before", "aria-hidden": "true", hidden: true });
  #preview = make("canvas", { class: "preview", "aria-hidden": "true" });
  #heat = new Heat();
  #marks = new Marks();
  #callout = new Callout();
  #voice = make("p", { class: "unseen", "aria-live": "polite" });
  #surface = make("div", { class: "surface", role: "img", "aria-label": "Board, empty" });
  #aiming = new Aiming(this.#surface, {
    marks: this.#marks,
    plan: () => this.#laid?.plan ?? null,
    aimed: (spot) => this.#aimed(spot),
    placed: () => this.choose(),
  });

  connectedCallback() {
    const layers = [this.#ground, this.#before, this.#heat.canvas, this.#preview, this.#marks.svg, this.#heat.legend];
    this.#surface.replaceChildren(...layers, this.#callout.label);
    this.replaceChildren(this.#surface, this.#callout.note, this.#voice);
    this.dataset.state ??= "empty";
    this.stop = new AbortController();
    prefersDark.addEventListener("change", () => this.#draw(), { signal: this.stop.signal });
    this.resizes = new ResizeObserver(() => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#draw(), this.dataset.painted ? SETTLE_MS : 0);
    });
    this.resizes.observe(this);
    if (this.#scene) this.show(this.#scene);
  }

  disconnectedCallback() {
    this.#heat.hide();
    this.stop?.abort();
    this.resizes?.disconnect();
  }

  /** @param {Scene} scene */
  show(scene) {
    const { moves, names, placing, toMove, trial } = scene;
    const laid = this.#lay(/** @type {DrawingData} */ (scene.drawingData), names.length);
    const follows = laid.standing.tokens.length === moves.length - 1 && this.dataset.painted !== undefined;
    if (moves.length !== laid.standing.tokens.length || toMove !== this.#scene?.toMove) this.#heat.hide();
    laid.standing.goTo(moves);
    this.#scene = scene;
    if (placing) this.#viewer = toMove;
    this.dataset.ply = String(moves.length);
    this.dataset.scores = laid.standing.scores.join(" ");
    this.dataset.state = trial ? "trial" : placing ? "placing" : "idle";
    this.#marks.hint(null);
    this.#showMarks(laid, scene);
    if (follows) this.#fade();
    this.#draw();
    this.#aiming.renew();
    this.dispatchEvent(new CustomEvent("painted", { detail: { scores: laid.standing.scores } }));
  }

  /** @param {DrawingData} drawingData @param {number} seats @returns {Laid} */
  #lay(drawingData, seats) {
    const known = this.#laid;
    if (known?.drawingData === drawingData && known.standing.scores.length === seats) return known;
    const plan = new Plan(drawingData);
    const standing = new Standing(new Network(drawingData), seats);
    this.#laid = { drawingData, plan, standing, ground: new Ground(plan, standing) };
    this.#heat.hide();
    this.#aiming.aim(null);
    this.#marks.lay(plan, drawingData.values);
    delete this.dataset.painted;
    return this.#laid;
  }

  /** @param {Laid} laid @param {Scene} scene */
  #showMarks({ standing, drawingData }, { names, moves, placing, interactive = placing }) {
    const total = drawingData.values.reduce((sum, value) => sum + value, 0);
    this.#marks.focusable(interactive);
    this.#marks.show(standing, { names, viewer: this.#viewer });
    this.#surface.setAttribute("role", interactive ? "application" : "img");
    this.#surface.setAttribute("aria-label", boardLabel(drawingData.values.length, moves.length, names, standing.scores, total));
  }

  /** @param {string} name @param {boolean} on */
  option(name, on) {
    Object.assign(this.#options, { [name]: on });
    this.#draw();
  }

  /** Show what each vertex would gain; the page works that out itself, whatever picture is offered. @param {string | null} url */
  async overlay(url) {
    const { standing } = this.#laid ?? {};
    const seat = this.#scene?.toMove ?? null;
    this.#heat.hide();
    if (url && standing && seat !== null && (await this.#heat.ask(standing, seat))) this.#draw();
  }

  /** @param {import("../types.js").Hint | null} hint */
  suggest(hint) {
    const seat = hint?.seat ?? this.#scene?.toMove ?? 0;
    this.#marks.hint(hint && { vertex: hint.best[0], seat, words: gained(hint.gain) });
    if (hint && !hint.quiet) this.announce(`Hint: vertex ${hint.best[0]}, ${gained(hint.gain)}`);
  }

  /** Say at the aim why a move was refused. @param {string} message */
  refuse(message) {
    if (this.dataset.state === "pending") this.dataset.state = "placing";
    this.#callout.refuse(message);
  }

  /** Decide on the vertex aimed at. */
  choose() {
    const { spot } = this.#aiming;
    if (!spot || !this.#laid || this.dataset.state !== "placing") return;
    const token = this.#laid.standing.holds(spot.vertex);
    if (token) return this.refuse(takenText(this.#laid.standing.network.called(spot.vertex), token));
    this.#callout.forget();
    this.dataset.state = "pending";
    this.dispatchEvent(new CustomEvent("choose", { detail: { move: [spot.vertex] } }));
  }

  /** @param {string} words */
  announce(words) {
    setText(this.#voice, words);
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    if (this.dataset.cursor !== String(spot?.vertex)) this.#callout.forget();
    for (const name of ["cursor", "aim", "gain"]) delete this.dataset[name];
    this.#taken = null;
    this.#marks.point(spot?.vertex ?? null, spot ? `by-${spot.source}` : "");
    if (spot) this.#tell(spot);
    else this.#callout.hide();
    this.#drawPreview();
    if (!spot || this.dataset.state === "idle") this.dispatchEvent(new CustomEvent("aim", { detail: null }));
  }

  /** @param {Spot} spot */
  #tell({ vertex, source }) {
    const { plan, standing } = /** @type {Laid} */ (this.#laid);
    const { names, placing, toMove } = /** @type {Scene} */ (this.#scene);
    const token = standing.holds(vertex);
    const isMine = placing && toMove !== null;
    if (isMine && !token) this.#taken = standing.preview(vertex, toMove);
    this.dataset.cursor = String(vertex);
    if (isMine) this.dataset.aim = token ? "taken" : "legal";
    if (this.#taken) this.dataset.gain = String(this.#taken.gain);
    const owner = ownerText(standing.owner(vertex), this.#viewer, names);
    const called = standing.network.called(vertex);
    const plain = vertexText(called, standing.network.values[vertex], owner);
    const words = this.#taken ? gainText(this.#taken, names) : isMine ? takenText(called, token) : plain;
    const side = this.clientWidth;
    this.#callout.say(this.#taken && standing.network.names ? `${called}: ${words}` : words);
    this.#callout.show(plan.places[vertex][0] * side, plan.places[vertex][1] * side, side);
    if (source === "keys") this.#marks.stop(vertex, this.#taken ? `${gained(this.#taken.gain)} here` : "");
    if (source === "touch") this.announce(`vertex ${called}: ${words}`);
    const aim = { move: [vertex], legal: this.#taken !== null, words: `on ${called} · ${this.#taken ? gained(this.#taken.gain) : ""}` };
    if (isMine) this.dispatchEvent(new CustomEvent("aim", { detail: source === "mouse" ? null : aim }));
  }

  /** Let the ground as it was fade from the new one. */
  #fade() {
    const before = this.#before;
    if (prefersStill.matches || !this.#ground.width) return;
    before.width = before.height = this.#ground.width;
    before.getContext("2d")?.drawImage(this.#ground, 0, 0);
    before.hidden = false;
    before.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE_MS, easing: "ease-out" }).onfinish = () => (before.hidden = true);
  }

  /** @returns {import("./sheet.js").Size} */
  get #size() {
    return { side: this.clientWidth, ratio: devicePixelRatio || 1 };
  }

  #draw() {
    if (!this.#laid || !this.isConnected || !this.clientWidth) return;
    const { plan, ground, standing } = this.#laid;
    this.#palette = readPalette(this);
    ground.paint(this.#ground, this.#size, this.#palette, this.#options);
    this.#heat.paint(plan, this.#size);
    this.#marks.svg.toggleAttribute("data-values", this.#options.values);
    this.#marks.fit(this.clientWidth);
    this.#drawPreview();
    this.dataset.painted = String(standing.tokens.length);
  }

  #drawPreview() {
    if (!this.#laid || !this.#palette || (!this.#taken && this.#preview.hidden)) return;
    this.#preview.hidden = !this.#taken;
    const { mark, region } = this.#palette.seats[this.#scene?.toMove ?? 0];
    const tint = `rgb(${between(mark, region).join(" ")})`;
    this.#laid.ground.paintPreview(this.#preview, this.#size, this.#taken, { region: tint, mark });
  }
}

customElements.define("graph-board", GraphBoard);
