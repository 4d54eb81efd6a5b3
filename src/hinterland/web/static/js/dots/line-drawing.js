/** Everything on a board but its dots: closed loops, lines, lines that would close a loop, and the line aimed at. */
import { draw } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { SCALE, sheet } from "../board/marks.js";
import { isSame } from "./dots-position.js";

/** @import { Point } from "../board/aiming.js" */
/** @import { DotLayout, Line } from "./dot-layout.js" */
/** @import { Closed, Position } from "./dots-position.js" */
/** @typedef {{ line: Line, gain: number }} RatedLine  a legal line and what it closes */
/** @typedef {{ line: Line | null, fan: Line[], cycle: number[], crossed: Line | null, isLegal: boolean }} Aimed  fan: the lines that one dot leaves open */

/** Size of a label, in CSS pixels. */
const LABEL = { wide: 34, high: 20 };
/** Possible places of a label, as shares of the way along its line. */
const SHARES = [0.5, 0.38, 0.62, 0.28, 0.72];
const LAYERS = ["areas", "heat", "outlines", "fan", "closings", "lines", "best", "aim"];

/** A length in the units in which marks are drawn. @param {number} share  of the side */
const scaled = (share) => (SCALE * share).toFixed(1);

export class LineDrawing {
  /** @type {Line[]} best play */
  #best = [];
  /** @type {{ line: Line, seat: number } | null} */
  #hinted = null;
  layers = Object.fromEntries(LAYERS.map((name) => [name, draw("g", { class: name })]));
  labels = draw("g", { class: "labels" });
  svg = sheet("drawing", ...Object.values(this.layers));
  /** Layer above the dots. */
  words = sheet("drawing", this.labels);
  /** @type {[number, number][]} of the dots */
  places = [];

  constructor() {
    for (const svg of [this.svg, this.words]) svg.setAttribute("aria-hidden", "true");
  }

  /** A new board. @param {DotLayout} layout */
  lay(layout) {
    this.layout = layout;
    this.places = layout.places;
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
  }

  /** Show where a key would add the next dot to a board drawn by hand; null hides this. @param {Point | null} at */
  cursor(at) {
    this.layers.aim.replaceChildren(...(at ? [draw("circle", { class: "cursor", cx: SCALE * at.x, cy: SCALE * at.y })] : []));
  }

  /** @param {Position} position @param {boolean} isFresh  whether the latest line was drawn just now */
  show({ closed, lines, ply }, isFresh) {
    const manner = (/** @type {{ seat: number, ply: number }} */ one) => `seat-${one.seat}${one.ply === ply ? (isFresh ? " latest fresh" : " latest") : ""}`;
    const cycle = (/** @type {Closed} */ one) => this.#polygon(one.dots, manner(one));
    const byArea = [...closed].sort((one, other) => this.#area(other) - this.#area(one));
    this.layers.areas.replaceChildren(...byArea.map(cycle));
    this.layers.outlines.replaceChildren(...closed.map(cycle));
    const drawn = lines.flatMap((one) => [...(one.ply === ply ? [this.#line(one.line, "halo")] : []), this.#line(one.line, manner(one))]);
    this.layers.lines.replaceChildren(...drawn);
    this.aim(null, 0);
    this.suggest(null, 0);
  }

  /**
   * Draw the lines that would close a loop, in the mover's colour. If a label fits beside a line, it says the line's
   * gain; the largest gains are labelled first.
   * @param {RatedLine[]} lines @param {number} seat @param {number[]} present  dots @param {number} side  of the board, in CSS pixels
   */
  closings(lines, seat, present, side) {
    const taken = present.map((dot) => ({ x: this.places[dot][0], y: this.places[dot][1] }));
    const isFree = (/** @type {Point} */ { x, y }) => taken.every((one) => Math.abs(one.x - x) > LABEL.wide / side || Math.abs(one.y - y) > LABEL.high / side);
    const labels = [...lines].sort((one, other) => other.gain - one.gain).flatMap(({ line, gain }) => {
      const place = SHARES.map((share) => /** @type {DotLayout} */ (this.layout).along(line, share)).find(isFree);
      if (!place) return [];
      taken.push(place);
      return [draw("text", { x: scaled(place.x), y: scaled(place.y) }, formatGain(gain))];
    });
    this.layers.closings.setAttribute("class", `closings seat-${seat}`);
    this.layers.closings.replaceChildren(...lines.map(({ line }) => this.#line(line, "")));
    this.labels.replaceChildren(...labels);
  }

  /** Draw all legal lines, shaded by what they gain. @param {RatedLine[]} lines */
  heat(lines) {
    const most = lines.reduce((most, { gain }) => Math.max(most, gain), 1);
    const sorted = [...lines].sort((one, other) => one.gain - other.gain);
    const shaded = sorted.map(({ line, gain }) => {
      const drawn = this.#line(line, gain ? "closing" : "");
      drawn.style.setProperty("--share", String(gain / most));
      return drawn;
    });
    this.layers.heat.replaceChildren(...shaded);
  }

  /** @param {Aimed | null} aimed @param {number} seat */
  aim(aimed, seat) {
    const { line = null, fan = [], cycle = [], crossed = null, isLegal = false } = aimed ?? {};
    this.layers.fan.setAttribute("class", `fan seat-${seat}`);
    this.layers.fan.replaceChildren(...fan.map((one) => this.#line(one, "")));
    this.layers.aim.setAttribute("class", `aim seat-${seat} ${isLegal ? "legal" : "illegal"}`);
    this.layers.aim.replaceChildren(
      ...(cycle.length ? [this.#polygon(cycle)] : []),
      ...(crossed ? [this.#line(crossed, "crossed")] : []),
      ...(line ? [this.#line(line, "halo"), this.#line(line, "ghost")] : []),
    );
  }

  /** @param {Line[]} lines  best play */
  best(lines) {
    this.#best = lines;
    this.#mark();
  }

  /** @param {Line | null} line @param {number} seat */
  suggest(line, seat) {
    this.#hinted = line && { line, seat };
    this.#mark();
  }

  #mark() {
    const hinted = this.#hinted;
    const others = this.#best.filter((line) => !hinted || !isSame(line, hinted.line));
    const marks = others.flatMap((line) => [this.#line(line, "halo"), this.#line(line, "best-line")]);
    if (hinted) marks.push(...["edge", "halo", `hinted seat-${hinted.seat}`].map((name) => this.#line(hinted.line, name)));
    this.layers.best.replaceChildren(...marks);
  }

  /** @param {Line} line @param {string} name */
  #line(line, name) {
    const [[x1, y1], [x2, y2]] = line.map((dot) => this.places[dot].map(scaled));
    return draw("line", { class: name, x1, y1, x2, y2, pathLength: 1 });
  }

  /** @param {number[]} dots @param {string} [name] */
  #polygon(dots, name) {
    return draw("polygon", { class: name, points: dots.map((dot) => this.places[dot].map(scaled).join()).join(" ") });
  }

  /** Twice the area of a loop. @param {Closed} closed */
  #area({ dots }) {
    const places = dots.map((dot) => this.places[dot]);
    return Math.abs(places.reduce((sum, [x, y], k) => sum + x * places[(k + 1) % dots.length][1] - places[(k + 1) % dots.length][0] * y, 0));
  }
}
