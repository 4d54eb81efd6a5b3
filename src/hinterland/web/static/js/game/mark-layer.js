/**
 * Marks over a board: circles, arrows and lines, each perhaps with a number beside it. The layer covers what the board
 * draws, so a mark lies exactly where a piece would.
 */
import { draw } from "../base/dom.js";
import { language } from "../base/words.js";
import { SCALE, sheet } from "../board/marks.js";

/** @import { BoardElement } from "../base/types.js" */
/** A mark. @typedef {{ shape: "circle" | "arrow" | "line", points: number[], value?: number | null }} Mark  points: x and y of each place in turn, as shares of the board */
/** @typedef {[number, number]} Point  in CSS pixels of the board */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box  in CSS pixels of the board */

// Lengths in CSS pixels.
/** Least and greatest radius of a circle, which is a 40th of the board's side. A line ends so far from the middle of a place, so that a piece there can be seen. */
const RADII = [10, 14];
const HEAD = 13;
const LETTER = 8;
const LINE = 17;
const MIN_WIDTH = 26;
const values = new Intl.NumberFormat(language, { maximumSignificantDigits: 6 });

export class MarkLayer {
  /** @param {BoardElement} board @param {string} name  class name */
  constructor(board, name) {
    this.board = board;
    this.layer = sheet(`mark-layer ${name}`);
    this.layer.setAttribute("aria-hidden", "true");
  }

  /** Draw marks in place of the present ones. Of numbers that would cover each other, only the first is shown. @param {Mark[]} marks */
  draw(marks) {
    const { board, layer } = this;
    if (!layer.isConnected) board.append(layer);
    const side = board.surface.clientWidth || SCALE;
    layer.setAttribute("viewBox", `0 0 ${side} ${side}`);
    const radius = Math.min(Math.max(side / 40, RADII[0]), RADII[1]);
    const placed = marks.map(({ shape, points, value }) => ({ shape, places: placesOf(points, side), value: value ?? null }));
    /** @type {Box[]} */
    const taken = [];
    layer.replaceChildren(
      ...placed.map(({ shape, places }) => draw("g", { class: shape }, ...outline(shape, places, radius))),
      ...placed.flatMap(({ shape, places, value }) => (value === null ? [] : number(shape === "circle" ? radius : 0, places, value, side, taken))),
    );
  }
}

/** @param {number[]} points @param {number} side @returns {Point[]} */
const placesOf = (points, side) => points.flatMap((x, k) => (k % 2 ? [] : [[side * x, side * points[k + 1]]]));

/** The shape twice: a wide one in the colour of the ground, so that the mark stands out, and the mark itself. @param {Mark["shape"]} shape @param {Point[]} places @param {number} radius */
function outline(shape, places, radius) {
  const [[x, y]] = places;
  if (shape === "circle") return ["halo", "mark"].map((kind) => draw("circle", { class: kind, cx: x, cy: y, r: radius }));
  const way = [shortened(places[0], places[1], radius), ...places.slice(1, -1), shortened(places[places.length - 1], places[places.length - 2], radius)];
  const path = `M${way.join("L")}${shape === "arrow" ? wings(way[0], way[1]) : ""}`;
  return ["halo", "mark"].map((kind) => draw("path", { class: kind, d: path }));
}

/** The end of a line, moved towards the next place by a gap; a short line keeps its end. @param {Point} end @param {Point} next @param {number} gap @returns {Point} */
function shortened([x, y], [toX, toY], gap) {
  const length = Math.hypot(toX - x, toY - y);
  const share = length > 3 * gap ? gap / length : 0;
  return [x + share * (toX - x), y + share * (toY - y)];
}

/** The head of an arrow. @param {Point} from @param {Point} to */
function wings([x, y], [toX, toY]) {
  const angle = Math.atan2(toY - y, toX - x);
  const wing = (/** @type {number} */ turn) => `${toX - HEAD * Math.cos(angle + turn)} ${toY - HEAD * Math.sin(angle + turn)}`;
  return `M${wing(0.5)}L${toX} ${toY}L${wing(-0.5)}`;
}

/** The number of a mark on a plate: below a circle, or in the middle of a line; nothing if there is no room. @param {number} radius  of the circle; 0 for a line @param {Point[]} places @param {number} value @param {number} side @param {Box[]} taken */
function number(radius, places, value, side, taken) {
  const words = values.format(value);
  const [width, last] = [Math.max(LETTER * words.length + 6, MIN_WIDTH), places[places.length - 1]];
  const x = Math.min(Math.max((places[0][0] + last[0]) / 2, width / 2), side - width / 2);
  const y = (places[0][1] + last[1]) / 2 + (radius && beside(radius, last[1], side));
  const box = { left: x - width / 2, right: x + width / 2, top: y - LINE / 2, bottom: y + LINE / 2 };
  if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) return [];
  taken.push(box);
  return [draw("rect", { x: box.left, y: box.top, width, height: LINE, rx: LINE / 2 }), draw("text", { x, y }, words)];
}

/** From the middle of a circle to the middle of its number, which stays on the board. @param {number} radius @param {number} y @param {number} side */
function beside(radius, y, side) {
  const far = radius + LINE / 2 + 2;
  return y + far + LINE / 2 > side ? -far : far;
}
