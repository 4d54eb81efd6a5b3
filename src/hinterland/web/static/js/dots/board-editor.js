/**
 * A board drawn by hand: a click adds a dot, a click on a dot removes it.
 */
import { t } from "../base/words.js";
import { ARROWS, pointOn } from "../board/aiming.js";

/** @typedef {[number, number]} Spot  whole numbers from 0 to GRID, y upwards */
/** @import { Point } from "../board/aiming.js" */
/** @import { DrawingData } from "./dot-layout.js" */
/** @typedef {{ points(): Spot[] | null, drawn(points: Spot[]): void, refuse(words: string): void, point(at: Point | null): void }} Board */

export const MAX_DOTS = 40;
const GRID = 1000;
const MARGIN = 0.07;
/** Largest distance from a dot at which a click still hits it, in CSS pixels. */
const HIT_RADIUS = 16;
/** Distance that an arrow key moves the place of the next dot, on a grid of 1,000 by 1,000. */
const KEY_STEP = 25;

/** @param {Spot[]} points @returns {DrawingData} */
export function layOut(points) {
  let turns = "";
  points.forEach((one, i) => points.slice(i + 1).forEach((other, j) => points.slice(i + j + 2).forEach((third) => (turns += turn(one, other, third) > 0 ? "+" : "-"))));
  return { places: points.map(placeOf), turns, isOpen: true };
}

/** @param {Spot} spot @returns {[number, number]} */
const placeOf = ([x, y]) => [MARGIN + (x / GRID) * (1 - 2 * MARGIN), 1 - MARGIN - (y / GRID) * (1 - 2 * MARGIN)];

/**
 * Scale dots with whole coordinates by a whole factor so that they fill the grid, and centre them. Every three dots
 * still turn the same way, left or right.
 * @param {number[][]} points @returns {number[][]}
 */
export function onGrid(points) {
  const sides = [0, 1].map((axis) => points.map((point) => point[axis])).map((all) => ({ low: Math.min(...all), span: Math.max(...all) - Math.min(...all) }));
  const factor = Math.max(1, Math.floor(GRID / Math.max(...sides.map(({ span }) => span))));
  return points.map((point) => point.map((at, axis) => factor * (at - sides[axis].low) + Math.floor((GRID - factor * sides[axis].span) / 2)));
}

/** @param {Point} point @returns {Spot} */
function spotOf({ x, y }) {
  const whole = (/** @type {number} */ share) => Math.max(0, Math.min(GRID, Math.round((GRID * (share - MARGIN)) / (1 - 2 * MARGIN))));
  return [whole(x), whole(1 - y)];
}

/** @param {Spot} one @param {Spot} other @param {Spot} third */
const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

/** Two dots that lie on one straight line with a new dot, or null. @param {Spot[]} points @param {Spot} spot */
function inLine(points, spot) {
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) if (turn(points[i], points[j], spot) === 0) return [i, j];
  }
  return null;
}

export class BoardEditor {
  static WORDS = t("Your own board: arrow keys move the cursor, Enter adds or removes a dot");

  /** @param {HTMLElement} surface @param {Board} board */
  constructor(surface, board) {
    this.surface = surface;
    this.board = board;
    /** @type {Spot} where keys put the next dot */
    this.cursor = [GRID / 2, GRID / 2];
    surface.addEventListener("pointerup", (event) => event.button === 0 && this.#press(spotOf(pointOn(surface, event)), this.#reach));
    surface.addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("focus", () => this.board.points() && surface.matches(":focus-visible") && this.#show());
    surface.addEventListener("blur", () => this.board.points() && this.board.point(null));
  }

  get #reach() {
    return (GRID * HIT_RADIUS) / (this.surface.clientWidth * (1 - 2 * MARGIN));
  }

  /** @param {Spot} spot @param {number} reach */
  #press(spot, reach) {
    const points = this.board.points();
    if (!points) return;
    const near = points.findIndex(([x, y]) => Math.hypot(x - spot[0], y - spot[1]) <= reach);
    if (near >= 0) return this.board.drawn(points.filter((_, dot) => dot !== near));
    if (points.length >= MAX_DOTS) return this.board.refuse(t("a board has at most {most} dots", { most: MAX_DOTS }));
    const line = inLine(points, spot);
    if (line) return this.board.refuse(t("on one line with dots {one} and {other}", { one: line[0], other: line[1] }));
    this.board.drawn([...points, spot]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.board.points() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) {
      const step = event.shiftKey ? 1 : KEY_STEP;
      const [right, down] = ARROWS[event.key];
      const moved = (/** @type {number} */ at, /** @type {number} */ by) => Math.max(0, Math.min(GRID, at + step * by));
      this.cursor = [moved(this.cursor[0], right), moved(this.cursor[1], -down)];
      this.#show();
    } else if (event.key === "Enter" || event.key === " ") this.#press(this.cursor, this.#reach);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #show() {
    const [x, y] = placeOf(this.cursor);
    this.board.point({ x, y });
  }
}
