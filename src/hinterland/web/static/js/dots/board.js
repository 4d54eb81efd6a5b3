/**
 * `<dots-board>`: a square that draws a position of Join the dots and lets a person aim at lines and draw them.
 *
 * For tests and style sheets it says on itself: data-ply, data-scores, data-painted (ply of the picture shown), data-state
 * (empty, idle, trial, drawing, placing, pending), data-picked (the first dot), data-cursor (the line aimed at, `2-7`), data-aim
 * (legal, illegal) and data-gain (what that line closes).
 */
import { Callout } from "../board/callout.js";
import { make, setText } from "../dom.js";
import { gained } from "../format.js";
import { Aiming } from "./aiming.js";
import { Draft } from "./draft.js";
import { Drawing } from "./drawing.js";
import { Legend } from "./legend.js";
import { Marks } from "./marks.js";
import { Plan } from "./plan.js";
import { Game, crossedBy, cycleOf, isSame, legalLines } from "./standing.js";
import { boardLabel, crossedText, goneText, joinedText, lineText, moveText } from "./words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("./aiming.js").Spot} Spot */
/** @typedef {import("./plan.js").Line} Line */
/** @typedef {import("./plan.js").DrawingData} DrawingData */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {{ drawingData: DrawingData, plan: Plan, game: Game, standing: Standing, legal: Line[], ways: import("./drawing.js").Way[] }} Laid */

const SETTLE_MS = 60;
const REACH_PX = 16;

export class DotsBoard extends HTMLElement {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Laid | null} */
  #laid = null;
  /** @type {import("../types.js").Analysis | null} */
  #analysis = null;
  #options = { closings: true, numbers: true, dashes: false };
  #timer = 0;
  #drawing = new Drawing();
  #marks = new Marks();
  #legend = new Legend();
  #callout = new Callout();
  #voice = make("p", { class: "unseen", "aria-live": "polite" });
  #surface = make("div", { class: "surface", role: "img", "aria-label": "Board, empty" });
  #aiming = new Aiming(this.#surface, {
    marks: this.#marks,
    choices: () => this.#choices(),
    aimed: (spot) => this.#aimed(spot),
    drawn: () => this.choose(),
    missed: (point) => this.#missed(point),
  });
  draft = new Draft(this.#surface, {
    points: () => (this.dataset.state === "drawing" ? /** @type {[number, number][]} */ (this.#scene?.rules.points ?? []) : null),
    drawn: (points) => this.dispatchEvent(new CustomEvent("laid", { detail: { points } })),
    refuse: (words) => this.refuse(words),
    point: (at) => this.#drawing.cursor(at),
  });

  connectedCallback() {
    this.#surface.replaceChildren(this.#drawing.svg, this.#marks.svg, this.#drawing.words, this.#legend.element, this.#callout.label);
    this.replaceChildren(this.#surface, this.#callout.note, this.#voice);
    this.dataset.state ??= "empty";
    this.resizes = new ResizeObserver(() => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#fit(), this.dataset.painted ? SETTLE_MS : 0);
    });
    this.resizes.observe(this);
    if (this.#scene) this.show(this.#scene);
  }

  disconnectedCallback() {
    this.resizes?.disconnect();
  }

  /** @param {Scene} scene */
  show(scene) {
    const drawingData = /** @type {DrawingData} */ (scene.drawingData);
    const { moves, names, placing, trial } = scene;
    const before = this.#laid;
    const laid = this.#lay(drawingData, names.length);
    const isFresh = before?.game === laid.game && laid.standing.ply === moves.length - 1 && this.dataset.painted !== undefined;
    laid.standing = laid.game.goTo(moves);
    laid.legal = legalLines(laid.plan, laid.standing);
    laid.ways = laid.legal.map((line) => ({ line, gain: cycleOf(laid.standing, line).length }));
    this.#scene = scene;
    this.dataset.ply = String(moves.length);
    this.dataset.scores = laid.standing.scores.join(" ");
    this.dataset.state = drawingData.isOpen ? "drawing" : trial ? "trial" : placing ? "placing" : "idle";
    this.#drawing.show(laid.standing, isFresh);
    if (this.#analysis?.ply !== moves.length) this.appraise(null);
    this.overlay(null);
    this.#fit();
    this.#describe(laid, scene);
    this.#aiming.renew();
    this.dataset.painted = String(moves.length);
    this.dispatchEvent(new CustomEvent("painted", { detail: { scores: laid.standing.scores } }));
  }

  /** @param {DrawingData} drawingData @param {number} seats @returns {Laid} */
  #lay(drawingData, seats) {
    const known = this.#laid;
    if (known?.drawingData === drawingData && known.standing.scores.length === seats) return known;
    const plan = new Plan(drawingData);
    const game = new Game(plan.count, seats);
    this.#laid = { drawingData, plan, game, standing: game.goTo([]), legal: [], ways: [] };
    this.#aiming.aim(null);
    this.#drawing.lay(plan);
    this.#marks.lay(plan);
    delete this.dataset.painted;
    return this.#laid;
  }

  /** @param {Laid} laid @param {Scene} scene */
  #describe({ standing, plan }, { names, placing, interactive = placing }) {
    const isDrawing = this.dataset.state === "drawing";
    this.#marks.focusable(interactive, standing);
    this.#marks.show(standing);
    this.#surface.setAttribute("role", interactive || isDrawing ? "application" : "img");
    const label = isDrawing ? "Board of your own: arrows move the next dot, Enter puts it or takes one away" : boardLabel(standing, plan.count, names);
    this.#surface.setAttribute("aria-label", label);
    if (isDrawing) this.#surface.tabIndex = 0;
    else this.#surface.removeAttribute("tabindex");
  }

  /** @param {string} name @param {boolean} on */
  option(name, on) {
    Object.assign(this.#options, { [name]: on });
    this.#fit();
  }

  /** Show every legal line by what it closes; the page works that out itself, whatever picture is offered. @param {string | null} url */
  async overlay(url) {
    const isOver = !this.#laid || this.#scene?.toMove === null;
    const ways = url && !isOver ? (this.#laid?.ways ?? []) : [];
    this.#drawing.heat(ways);
    if (ways.length) this.#legend.show(ways.map(({ gain }) => gain));
    else this.#legend.hide();
    this.toggleAttribute("data-heat", ways.length > 0);
  }

  /** @param {import("../types.js").Hint | null} hint */
  suggest(hint) {
    const line = hint && /** @type {Line} */ (hint.best);
    this.#drawing.suggest(line, hint?.seat ?? this.#scene?.toMove ?? 0);
    if (hint && line && !hint.quiet) this.announce(`Hint: ${lineText(line, hint.gain)}`);
  }

  /** Mark the lines of best play. @param {import("../types.js").Analysis | null} analysis */
  appraise(analysis) {
    this.#analysis = analysis;
    this.#drawing.best(/** @type {Line[]} */ (analysis?.best ?? []));
  }

  /** Say at the aim why a line was refused. @param {string} message */
  refuse(message) {
    if (this.dataset.state === "pending") this.dataset.state = "placing";
    this.#callout.refuse(message);
  }

  /** Decide on the line aimed at. */
  choose() {
    const line = this.#aiming.spot?.line;
    if (!line || this.dataset.state !== "placing") return;
    const fault = this.#fault(line);
    if (fault) return this.refuse(fault);
    this.#callout.forget();
    this.dataset.state = "pending";
    this.dispatchEvent(new CustomEvent("choose", { detail: { move: [...line] } }));
  }

  /** @param {string} words */
  announce(words) {
    setText(this.#voice, words);
  }

  #choices() {
    const { state } = this.dataset;
    return this.#laid && (state === "placing" || state === "trial") ? { plan: this.#laid.plan, present: this.#laid.standing.present, legal: this.#laid.legal } : null;
  }

  /** Why a line between dots still there may not be drawn; empty where it may. @param {Line} line */
  #fault(line) {
    const { plan, standing } = /** @type {Laid} */ (this.#laid);
    if (standing.lines.some((drawn) => isSame(drawn.line, line))) return joinedText(line);
    const crossed = crossedBy(plan, standing, line);
    return crossed ? crossedText(crossed) : "";
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    const aimed = this.#choices() ? spot : null;
    if (this.dataset.cursor !== aimed?.line?.join("-")) this.#callout.forget();
    for (const name of ["cursor", "aim", "gain", "picked"]) delete this.dataset[name];
    const { picked } = this.#aiming;
    if (picked !== null) this.dataset.picked = String(picked);
    const seat = this.#scene?.toMove ?? 0;
    const ends = aimed?.line ?? (aimed?.dot === null || !aimed ? [] : [aimed.dot]);
    this.#marks.point(ends, picked, seat, aimed?.source === "keys");
    this.#showAim(aimed, picked, seat);
    if (aimed?.line) this.#tell(aimed, aimed.line);
    else this.#callout.hide();
    if (aimed?.source === "keys" && aimed.dot !== null) this.#lead(aimed);
    if (!aimed?.line) this.dispatchEvent(new CustomEvent("aim", { detail: null }));
  }

  /** @param {Spot | null} spot @param {number | null} picked @param {number} seat */
  #showAim(spot, picked, seat) {
    const { legal = [], plan, standing } = this.#laid ?? {};
    const root = picked ?? (spot?.line ? null : (spot?.dot ?? null));
    const fan = root === null ? [] : legal.filter((line) => line.includes(root));
    const line = spot?.line ?? null;
    const isLegal = line !== null && !this.#fault(line);
    const cycle = line && isLegal && standing ? cycleOf(standing, line) : [];
    const crossed = line && !isLegal && plan && standing ? crossedBy(plan, standing, line) : null;
    this.#drawing.aim(root === null && !line ? null : { line, fan, cycle, crossed, isLegal }, seat);
  }

  /** @param {Spot} spot @param {Line} line */
  #tell({ source }, line) {
    const { plan, standing } = /** @type {Laid} */ (this.#laid);
    const fault = this.#fault(line);
    const gain = fault ? 0 : cycleOf(standing, line).length;
    const words = fault || lineText(line, gain);
    this.dataset.cursor = line.join("-");
    this.dataset.aim = fault ? "illegal" : "legal";
    if (!fault) this.dataset.gain = String(gain);
    const [x, y] = plan.middle(line);
    this.#callout.say(words);
    this.#callout.show(x * this.clientWidth, y * this.clientWidth, this.clientWidth);
    if (source === "touch") this.announce(`${moveText(line)}: ${words}`);
    const aim = { move: [...line], legal: !fault, words: gain ? `${moveText(line)} · ${gained(gain)}` : moveText(line) };
    if (this.#scene?.placing) this.dispatchEvent(new CustomEvent("aim", { detail: source === "mouse" ? null : aim }));
  }

  /** Keys: lead Tab to this dot, and say what a line to it would do. @param {Spot} spot */
  #lead({ dot, line }) {
    if (dot === null || !this.#laid) return;
    const fault = line ? this.#fault(line) : "";
    const does = line ? fault || `line ${lineText(line, cycleOf(this.#laid.standing, line).length)}` : "";
    this.#marks.lead(dot);
    this.#marks.tell(dot, this.#laid.standing, does);
  }

  /** Say so where a dot is pointed at that is gone. @param {import("./plan.js").Point} point */
  #missed(point) {
    if (!this.#laid || this.dataset.state !== "placing") return;
    const { plan, standing } = this.#laid;
    const gone = standing.closed.flatMap(({ dots }) => dots);
    const dot = plan.dotAt(point, gone, REACH_PX / this.clientWidth);
    if (dot === null) return;
    this.#callout.show(point.x * this.clientWidth, point.y * this.clientWidth, this.clientWidth);
    this.refuse(goneText(dot));
  }

  #fit() {
    const side = this.clientWidth;
    if (!this.#laid || !this.isConnected || !side) return;
    for (const [name, on] of Object.entries(this.#options)) this.#surface.toggleAttribute(`data-${name}`, on);
    this.#marks.fit(side);
    this.#drawing.fit(side);
    const closings = this.#laid.ways.filter(({ gain }) => gain > 0);
    const isShown = this.#options.closings && this.#scene && this.#scene.toMove !== null;
    this.#drawing.closings(isShown ? closings : [], this.#scene?.toMove ?? 0, this.#laid.standing.present);
  }
}

customElements.define("dots-board", DotsBoard);
