/**
 * `<graph-board>`: draws a position of the game on graphs and lets a person aim and place.
 *
 * Layers from the ground up: regions and edges, the previous regions while they fade, heat map, preview, marks, words.
 * The attribute data-cursor is the vertex aimed at; data-aim is legal or taken.
 */
import { make, prefersStill } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { t } from "../base/words.js";
import { Board, isWall } from "../board/board.js";
import { sizeOf } from "../board/canvas.js";
import { MarkAiming } from "../board/mark-aiming.js";
import { between, readPalette } from "../board/palette.js";
import { Background } from "./background.js";
import { boardLabel, gainText, moveText, ownerText, takenText, vertexText } from "./graph-words.js";
import { HeatMap } from "./heat-map.js";
import { Network } from "./network.js";
import { VertexLayout } from "./vertex-layout.js";
import { VertexMarks } from "./vertex-marks.js";
import { Voronoi } from "./voronoi.js";

/** @import { Hint, Move, Scene } from "../base/types.js" */
/** @import { Spot } from "../board/mark-aiming.js" */
/** @import { Palette } from "../board/palette.js" */
/** @import { DrawingData } from "./network.js" */
/** @import { Taken } from "./voronoi.js" */
/** @typedef {{ layout: VertexLayout, voronoi: Voronoi, background: Background }} Laid */

const FADE_MS = 200;

export class GraphBoard extends Board {
  options = { edges: true, values: true, numbers: true, patterns: false };
  /** Nothing before the first scene. */
  #laid = /** @type {Laid} */ ({});
  /** @type {Taken | null} */
  #taken = null;
  /** @type {number | null} the seat of who looks on, as far as the turns have told */
  #viewer = null;
  /** @type {Palette | null} as last drawn with */
  #palette = null;
  #ground = make("canvas", { class: "ground", "aria-hidden": "true" });
  #before = make("canvas", { class: "before", "aria-hidden": "true", hidden: true });
  #preview = make("canvas", { class: "preview", "aria-hidden": "true" });
  #heat = new HeatMap();
  #marks = new VertexMarks();
  #aiming = new MarkAiming(this.surface, {
    marks: this.#marks,
    places: () => this.#laid.layout,
    open: () => this.#laid.layout.vertices,
    active: () => this.scene !== null,
    aimed: (spot) => this.#aimed(spot),
    chosen: () => this.choose(),
  });

  /** @override */
  get layers() {
    return [this.#ground, this.#before, this.#heat.canvas, this.#preview, this.#marks.svg, this.#heat.legend.element];
  }

  /** @override */
  disconnectedCallback() {
    this.#heat.hide();
    super.disconnectedCallback();
  }

  /** @override @param {Scene} scene */
  lay({ drawingData, names }) {
    const data = /** @type {DrawingData} */ (drawingData);
    const layout = new VertexLayout(data);
    const voronoi = new Voronoi(new Network(data), names.length);
    this.#laid = { layout, voronoi, background: new Background(layout, voronoi) };
    this.#heat.hide();
    this.#aiming.aim(null);
    this.#marks.lay(layout, voronoi.network);
  }

  /** @override @param {Scene} scene */
  show(scene) {
    const { moves, names, placing, toMove } = scene;
    const before = this.scene;
    super.show(scene);
    const { voronoi } = this.#laid;
    const follows = voronoi.tokens.length === moves.length - 1 && this.dataset.painted !== undefined;
    if (moves.length !== voronoi.tokens.length || toMove !== before?.toMove) this.#heat.hide();
    voronoi.goTo(moves);
    if (placing) this.#viewer = toMove;
    this.#marks.hint(null);
    this.#marks.show(voronoi, { names, viewer: this.#viewer, isFocusable: this.surface.role === "application" });
    if (follows) this.#fade();
    this.draw();
    this.#aiming.renew();
    const { values } = voronoi.network;
    const total = values.reduce((sum, value) => sum + value, 0);
    this.painted(boardLabel(values.length, moves.length, names, voronoi.scores, total), voronoi.scores);
  }

  /** Show what a token would gain on each vertex, unless `url` is null. The page computes this itself and fetches nothing. @param {string | null} url */
  async overlay(url) {
    const { voronoi } = this.#laid;
    const seat = this.scene?.toMove ?? null;
    this.#heat.hide();
    if (url && seat !== null && (await this.#heat.ask(voronoi, seat))) this.draw();
  }

  /** @param {Hint | null} hint */
  suggest(hint) {
    this.#marks.hint(hint && { vertex: hint.best[0], seat: hint.seat ?? this.seat, words: formatGain(hint.gain) });
    if (hint && !hint.quiet) this.announce(t("Hint: {hint}", { hint: `${moveText(hint.best)}, ${formatGain(hint.gain)}` }));
  }

  /** @override @param {Move} move @returns {[number, number][]} */
  spotsOf(move) {
    return move.map((mark) => this.#laid.layout.places[mark]);
  }

  /** @override */
  decision() {
    const { spot } = this.#aiming;
    return spot && { move: [spot.mark], fault: this.#fault(spot.mark) };
  }

  /** Why no token may be placed on a vertex; empty if a token may. @param {number} vertex */
  #fault(vertex) {
    const { voronoi } = this.#laid;
    const token = voronoi.holds(vertex);
    return token ? takenText(voronoi.network.called(vertex), token) : "";
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    this.#taken = null;
    this.#marks.point(spot?.mark ?? null, spot ? `by-${spot.source}` : "");
    if (spot) this.#tell(spot);
    else this.unaimed();
    this.#drawPreview();
  }

  /** @param {Spot} spot */
  #tell({ mark: vertex, source }) {
    const { voronoi } = this.#laid;
    const { network } = voronoi;
    const { names, placing, toMove, blind } = /** @type {Scene} */ (this.scene);
    const isMine = placing && toMove !== null;
    const fault = this.#fault(vertex);
    const called = network.called(vertex);
    const plain = vertexText(called, network.values[vertex], ownerText(voronoi.owner(vertex), this.#viewer, names));
    if (isMine && !fault && !blind) this.#taken = voronoi.preview(vertex, toMove);
    const gain = this.#taken ? formatGain(this.#taken.gain) : "";
    this.note(String(vertex), isMine ? (fault ? "taken" : "legal") : undefined, this.#taken?.gain);
    const words = this.#taken ? gainText(this.#taken, names) : (isMine && fault) || plain;
    const { layout } = this.#laid;
    this.call(this.#aiming.placeOf({ mark: vertex, source }), this.#taken ? t("vertex {vertex}: {words}", { vertex: called, words }) : words, layout.radii[vertex] * this.side);
    if (source === "keys") this.#marks.lead(vertex, gain && t("{gain} here", { gain }));
    if (source === "touch") this.announce(t("vertex {vertex}: {words}", { vertex: called, words }));
    this.offer(isMine ? { move: [vertex], legal: !fault, words: [t("on {vertex}", { vertex: called }), gain].filter(Boolean).join(" · ") } : null, source);
  }

  /** Fade from the old regions to the new ones. */
  #fade() {
    const before = this.#before;
    if (prefersStill.matches || !this.#ground.width) return;
    before.width = before.height = this.#ground.width;
    before.getContext("2d")?.drawImage(this.#ground, 0, 0);
    before.hidden = false;
    before.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE_MS, easing: "ease-out" }).onfinish = () => (before.hidden = true);
  }

  /** @override */
  get pieces() {
    const { layout, voronoi } = this.#laid;
    const radius = this.#marks.token;
    return voronoi.tokens.map(({ vertex }) => ({ x: layout.places[vertex][0] * this.side, y: layout.places[vertex][1] * this.side, radius }));
  }

  /** @override @param {number} side */
  paint(side) {
    const { layout, background } = this.#laid;
    this.#palette = readPalette(this);
    background.paint(this.#ground, sizeOf(this), this.#palette, this.options);
    this.#heat.paint(layout, sizeOf(this));
    this.#marks.svg.toggleAttribute("data-values", this.options.values);
    this.#marks.svg.toggleAttribute("data-numbers", this.options.numbers);
    this.#marks.fit(side, isWall());
    this.#drawPreview();
  }

  #drawPreview() {
    if (!this.#palette || (!this.#taken && this.#preview.hidden)) return;
    this.#preview.hidden = !this.#taken;
    const { stone, region } = this.#palette.seats[this.seat];
    this.#laid.background.paintPreview(this.#preview, sizeOf(this), this.#taken, { region: `rgb(${between(stone, region).join(" ")})`, stone });
  }
}

customElements.define("graph-board", GraphBoard);
