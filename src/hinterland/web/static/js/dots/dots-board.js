/**
 * `<dots-board>`: draws a position of Join the dots and lets a person aim at lines and draw them.
 *
 * Besides the attributes of every board it has data-picked, the first dot of a line. Its data-state may also be
 * "drawing", for a board that the viewer draws. data-cursor is the line aimed at (`2-7`), data-aim is legal or illegal,
 * and data-gain is the number of dots that the line closes.
 */
import { setAttribute } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { t } from "../base/words.js";
import { Board, isWall } from "../board/board.js";
import { Legend } from "../board/legend.js";
import { BoardEditor } from "./board-editor.js";
import { DotLayout } from "./dot-layout.js";
import { DotMarks } from "./dot-marks.js";
import { Game, crossedBy, cycleOf, isSame, legalLines } from "./dots-position.js";
import { boardLabel, crossedText, goneText, joinedText, lineText, moveText } from "./dots-words.js";
import { LineAiming } from "./line-aiming.js";
import { LineDrawing } from "./line-drawing.js";

/** @import { Analysis, Hint, Move, Scene } from "../base/types.js" */
/** @import { Point } from "../board/aiming.js" */
/** @import { DrawingData, Line } from "./dot-layout.js" */
/** @import { Position } from "./dots-position.js" */
/** @import { Spot } from "./line-aiming.js" */
/** @import { RatedLine } from "./line-drawing.js" */
/** @typedef {{ layout: DotLayout, game: Game, position: Position, legal: RatedLine[] }} Laid */

const REACH_PX = 16;
/** Approximate radius of a dot with its rings, in CSS pixels. */
const DOT_PX = 14;

export class DotsBoard extends Board {
  options = { closings: true, numbers: true, dashes: false };
  /** Null before the first scene. */
  #laid = /** @type {Laid} */ ({});
  /** @type {Analysis | null} */
  #analysis = null;
  #drawing = new LineDrawing();
  #marks = new DotMarks("dot");
  #legend = new Legend();
  #aiming = new LineAiming(this.surface, {
    marks: this.#marks,
    places: () => this.#laid.layout,
    open: () => this.#laid.position.present,
    legal: () => this.#laid.legal.map(({ line }) => line),
    active: () => this.isOpen,
    aimed: (spot) => this.#aimed(spot),
    chosen: () => this.choose(),
    missed: (point) => this.#missed(point),
  });
  editor = new BoardEditor(this.surface, {
    points: () => (this.dataset.state === "drawing" ? /** @type {[number, number][]} */ (this.scene?.rules.points ?? []) : null),
    drawn: (points) => this.dispatchEvent(new CustomEvent("laid", { detail: { points } })),
    refuse: (words) => this.refuse(words),
    point: (at) => this.#drawing.cursor(at),
  });

  /** @override */
  get layers() {
    return [this.#drawing.svg, this.#marks.svg, this.#drawing.words, this.#legend.element];
  }

  /** @override @param {Scene} scene */
  lay({ drawingData, names }) {
    const layout = new DotLayout(/** @type {DrawingData} */ (drawingData));
    const game = new Game(layout.count, names.length);
    this.#laid = { layout, game, position: game.goTo([]), legal: [] };
    this.#aiming.aim(null);
    this.#drawing.lay(layout);
    this.#marks.lay(layout);
  }

  /** @override @param {Scene} scene */
  show(scene) {
    const { moves, names } = scene;
    const { isOpen } = /** @type {DrawingData} */ (scene.drawingData);
    super.show(scene);
    const laid = this.#laid;
    const isFresh = laid.position.ply === moves.length - 1 && this.dataset.painted !== undefined;
    const position = (laid.position = laid.game.goTo(moves));
    laid.legal = legalLines(laid.layout, position).map((line) => ({ line, gain: cycleOf(position, line).length }));
    this.#marks.show(position, this.surface.role === "application");
    if (isOpen) {
      this.dataset.state = "drawing";
      this.surface.setAttribute("role", "application");
    }
    setAttribute(this.surface, "tabindex", isOpen ? "0" : null);
    this.#drawing.show(position, isFresh);
    if (this.#analysis?.ply !== moves.length) this.showAnalysis(null);
    this.overlay(null);
    this.draw();
    this.#aiming.renew();
    this.painted(isOpen ? BoardEditor.WORDS : boardLabel(position, laid.layout.count, names), position.scores);
  }

  /** Show what every legal line closes, unless `url` is null. The page computes this itself and fetches nothing. @param {string | null} url */
  async overlay(url) {
    const lines = url && (this.scene?.toMove ?? null) !== null ? this.#laid.legal : [];
    this.#drawing.heat(lines);
    this.#legend.show(lines.map(({ gain }) => gain), this.#laid.layout.places);
    this.toggleAttribute("data-heat", lines.length > 0);
  }

  /** @param {Hint | null} hint */
  suggest(hint) {
    const line = hint && /** @type {Line} */ (hint.best);
    this.#drawing.suggest(line, hint?.seat ?? this.seat);
    if (hint && line && !hint.quiet) this.announce(t("Hint: {hint}", { hint: lineText(line, hint.gain) }));
  }

  /** Mark the best lines. @param {Analysis | null} analysis */
  showAnalysis(analysis) {
    this.#analysis = analysis;
    this.#drawing.best(/** @type {Line[]} */ (analysis?.best ?? []));
  }

  /** @override @param {Move} move @returns {[number, number][]} */
  spotsOf(move) {
    return move.map((mark) => this.#laid.layout.places[mark]);
  }

  /** @override */
  decision() {
    const line = this.#aiming.spot?.line;
    return line ? { move: [...line], fault: this.#fault(line) } : null;
  }

  /** Why a line between two present dots is illegal; empty if it is legal. @param {Line} line */
  #fault(line) {
    const { layout, position } = this.#laid;
    if (position.lines.some((drawn) => isSame(drawn.line, line))) return joinedText(line);
    const crossed = crossedBy(layout, position, line);
    return crossed ? crossedText(crossed) : "";
  }

  /** @param {Spot | null} spot */
  #aimed(spot) {
    const { picked } = this.#aiming;
    const { mark: dot = null, line = null, source } = spot ?? {};
    const ends = line ?? (dot === null ? [] : [dot]);
    setAttribute(this, "data-picked", picked === null ? null : String(picked));
    this.#marks.point(ends, picked, this.seat, source === "keys");
    this.#drawing.aim(null, this.seat);
    if (spot && line) this.#tell(spot, line);
    else {
      this.unaimed();
      if (picked !== null || dot !== null) this.#drawing.aim({ line, fan: this.#fan(picked ?? dot), cycle: [], crossed: null, isLegal: false }, this.seat);
      if (source === "keys" && dot !== null) this.#marks.lead(dot, "");
    }
  }

  /** The lines that start at one dot. @param {number | null} root */
  #fan(root) {
    return root === null ? [] : this.#laid.legal.map(({ line }) => line).filter((line) => line.includes(root));
  }

  /** @param {Spot} spot @param {Line} line */
  #tell({ mark: dot, source }, line) {
    const { layout, position } = this.#laid;
    const fault = this.#fault(line);
    const cycle = fault ? [] : cycleOf(position, line);
    const words = fault || lineText(line, cycle.length);
    this.#drawing.aim({ line, fan: this.#fan(this.#aiming.picked), cycle, crossed: crossedBy(layout, position, line), isLegal: !fault }, this.seat);
    this.note(line.join("-"), fault ? "illegal" : "legal", fault ? undefined : cycle.length);
    this.call(layout.along(line, 0.5), words);
    if (source === "touch") this.announce(`${moveText(line)}: ${words}`);
    if (source === "keys" && dot !== null) this.#marks.lead(dot, fault || t("line {words}", { words }));
    const aim = { move: [...line], legal: !fault, words: cycle.length ? `${moveText(line)} · ${formatGain(cycle.length)}` : moveText(line) };
    if (this.scene?.placing) this.offer(aim, source);
  }

  /** If this point is the place of a dot that has left the board, say so. @param {Point} point */
  #missed(point) {
    const { layout, position } = this.#laid;
    const gone = position.closed.flatMap(({ dots }) => dots);
    const dot = layout.nearest(point, gone, REACH_PX / this.clientWidth);
    if (dot === null || this.dataset.state !== "placing") return;
    this.call(point);
    this.refuse(goneText(dot));
  }

  /** @override */
  get pieces() {
    const { layout, position } = this.#laid;
    return position.present.map((dot) => ({ x: layout.places[dot][0] * this.side, y: layout.places[dot][1] * this.side, radius: DOT_PX }));
  }

  /** @override @param {number} side */
  paint(side) {
    const { legal, position } = this.#laid;
    for (const [name, on] of Object.entries(this.options)) this.surface.toggleAttribute(`data-${name}`, on);
    this.#marks.fit(side, isWall());
    const isShown = this.options.closings && this.scene?.toMove !== null;
    this.#drawing.closings(isShown ? legal.filter(({ gain }) => gain > 0) : [], this.seat, position.present, side);
  }
}

customElements.define("dots-board", DotsBoard);
