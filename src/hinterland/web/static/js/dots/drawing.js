/** Everything drawn on a board but its dots: closed cycles, lines, what would close, and the line aimed at. */
import { draw } from "../board/svg.js";
import { gained } from "../format.js";
import { isSame } from "./standing.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./plan.js").Line} Line */
/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {import("./standing.js").Closed} Closed */
/** @typedef {{ line: Line, gain: number }} Way  a legal line and what it closes */
/** @typedef {{ line: Line | null, fan: Line[], cycle: number[], crossed: Line | null, isLegal: boolean }} Aimed  fan: the lines that one dot leaves open */

export const SCALE = 1000;
/** How much room a label takes, in CSS pixels, and where along its line it may be. */
const LABEL = { wide: 34, high: 20 };
const SHARES = [0.5, 0.38, 0.62, 0.28, 0.72];
const LAYERS = ["areas", "heat", "outlines", "fan", "closings", "lines", "best", "aim"];

export class Drawing {
  constructor() {
    this.svg = draw("svg", { class: "drawing", viewBox: `0 0 ${SCALE} ${SCALE}`, "aria-hidden": "true" });
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, draw("g", { class: name })]));
    this.svg.append(...Object.values(this.layers));
    this.labels = draw("g", { class: "labels" });
    /** What is written above the dots. */
    this.words = draw("svg", { class: "drawing", viewBox: `0 0 ${SCALE} ${SCALE}`, "aria-hidden": "true" }, this.labels);
    this.side = 0;
  }

  /** A new board. @param {Plan} plan */
  lay(plan) {
    this.plan = plan;
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
  }

  /** @param {number} side  of the board, in CSS pixels */
  fit(side) {
    this.side = side;
    for (const svg of [this.svg, this.words]) svg.style.setProperty("--px", String(SCALE / side));
  }

  /** The place of the next dot of a board that is being drawn. @param {import("./plan.js").Point | null} at */
  cursor(at) {
    this.layers.aim.replaceChildren(...(at ? [draw("circle", { class: "cursor", cx: SCALE * at.x, cy: SCALE * at.y })] : []));
  }

  /** @param {Standing} standing @param {boolean} isFresh  whether the latest line was drawn just now */
  show({ closed, lines, ply }, isFresh) {
    const manner = (/** @type {{ seat: number, ply: number }} */ one) => `seat-${one.seat}${one.ply === ply ? (isFresh ? " latest fresh" : " latest") : ""}`;
    const byArea = [...closed].sort((one, other) => this.#area(other) - this.#area(one));
    this.layers.areas.replaceChildren(...byArea.map((one) => draw("polygon", { class: manner(one), points: this.#points(one.dots) })));
    this.layers.outlines.replaceChildren(...closed.map((one) => draw("polygon", { class: manner(one), points: this.#points(one.dots) })));
    const drawn = lines.flatMap((one) => [...(one.ply === ply ? [this.#line(one.line, "halo")] : []), this.#line(one.line, manner(one))]);
    this.layers.lines.replaceChildren(...drawn);
    this.aim(null, 0);
    this.suggest(null, 0);
  }

  /** Lines that would close, in the colour of who is to move, with what they close. @param {Way[]} ways @param {number} seat @param {number[]} present  dots */
  closings(ways, seat, present) {
    this.layers.closings.setAttribute("class", `closings seat-${seat}`);
    this.layers.closings.replaceChildren(...ways.map(({ line }) => this.#line(line, "")));
    this.labels.replaceChildren(...this.#labels(ways, present));
  }

  /** A label for each way that has room for one, the most first. @param {Way[]} ways @param {number[]} present */
  #labels(ways, present) {
    const taken = present.map((dot) => this.#at(dot));
    const [wide, high] = [LABEL.wide / (this.side || 1), LABEL.high / (this.side || 1)];
    const isFree = (/** @type {[number, number]} */ [x, y]) => taken.every(([u, v]) => Math.abs(u - x) > wide || Math.abs(v - y) > high);
    return [...ways].sort((one, other) => other.gain - one.gain).flatMap(({ line, gain }) => {
      const place = SHARES.map((share) => this.#along(line, share)).find(isFree);
      if (!place) return [];
      taken.push(place);
      return [this.#text(place, gained(gain))];
    });
  }

  /** All legal lines by what they close. @param {Way[]} ways */
  heat(ways) {
    const most = ways.reduce((most, { gain }) => Math.max(most, gain), 1);
    const sorted = [...ways].sort((one, other) => one.gain - other.gain);
    const lines = sorted.map(({ line, gain }) => {
      const way = this.#line(line, gain ? "closing" : "");
      way.style.setProperty("--share", String(gain / most));
      return way;
    });
    this.layers.heat.replaceChildren(...lines);
  }

  /** @param {Aimed | null} aimed @param {number} seat */
  aim(aimed, seat) {
    const { line = null, fan = [], cycle = [], crossed = null, isLegal = false } = aimed ?? {};
    this.layers.fan.setAttribute("class", `fan seat-${seat}`);
    this.layers.fan.replaceChildren(...fan.map((one) => this.#line(one, "")));
    this.layers.aim.setAttribute("class", `aim seat-${seat} ${isLegal ? "legal" : "illegal"}`);
    this.layers.aim.replaceChildren(
      ...(cycle.length ? [draw("polygon", { points: this.#points(cycle) })] : []),
      ...(crossed ? [this.#line(crossed, "crossed")] : []),
      ...(line ? [this.#line(line, "halo"), this.#line(line, "ghost")] : []),
    );
  }

  /** @param {Line[]} lines  best play */
  best(lines) {
    this.bestLines = lines;
    this.#mark();
  }

  /** @param {Line | null} line @param {number} seat */
  suggest(line, seat) {
    this.hinted = line && { line, seat };
    this.#mark();
  }

  #mark() {
    const hinted = this.hinted;
    const others = (this.bestLines ?? []).filter((line) => !hinted || !isSame(line, hinted.line));
    const marks = others.flatMap((line) => [this.#line(line, "halo"), this.#line(line, "best-line")]);
    if (hinted) marks.push(...["edge", "halo", `hinted seat-${hinted.seat}`].map((name) => this.#line(hinted.line, name)));
    this.layers.best.replaceChildren(...marks);
  }

  /** @param {Line} line @param {string} name */
  #line([a, b], name) {
    const [[x1, y1], [x2, y2]] = [this.#place(a), this.#place(b)];
    return draw("line", { class: name, x1, y1, x2, y2, pathLength: 1 });
  }

  /** @param {[number, number]} place @param {string} words */
  #text([x, y], words) {
    const text = draw("text", { x: (SCALE * x).toFixed(1), y: (SCALE * y).toFixed(1) });
    text.textContent = words;
    return text;
  }

  /** @param {Line} line @param {number} share @returns {[number, number]} */
  #along([a, b], share) {
    const [[ax, ay], [bx, by]] = [this.#at(a), this.#at(b)];
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  }

  /** @param {number[]} dots */
  #points(dots) {
    return dots.map((dot) => this.#place(dot).join()).join(" ");
  }

  /** Twice the area of a cycle. @param {Closed} closed */
  #area({ dots }) {
    const places = dots.map((dot) => this.#at(dot));
    return Math.abs(places.reduce((sum, [x, y], k) => sum + x * places[(k + 1) % dots.length][1] - places[(k + 1) % dots.length][0] * y, 0));
  }

  /** @param {number} dot @returns {[number, number]} */
  #at(dot) {
    return this.plan?.places[dot] ?? [0, 0];
  }

  /** @param {number} dot */
  #place(dot) {
    return this.#at(dot).map((share) => (SCALE * share).toFixed(1));
  }
}
