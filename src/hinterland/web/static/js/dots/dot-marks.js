/** The dots of a board: present, removed, picked, and aimed at. */
import { draw } from "../base/dom.js";
import { Marks, SCALE } from "../board/marks.js";
import { dotLabel } from "./dots-words.js";

/** @import { DotLayout } from "./dot-layout.js" */
/** @import { Position } from "./dots-position.js" */

/** Usual radius of a dot, as a share of the board's side. */
const RADIUS = 0.0165;
const RADIUS_ON_A_WALL = 0.028;
/** Largest radius, as a share of the mean distance between neighbours. */
const MAX_RADIUS_PER_SPACING = 0.16;
/** Largest radius, as a share of the distance to the nearest dot. */
const APART = 0.45;
/** Radius at which the number on a dot can be read, in CSS pixels. */
const READABLE_PX = 9;
/** Smallest radius, in CSS pixels. */
const LEAST_PX = 6;
/** Side of a board, in CSS pixels, below which the numbers on dots need not be readable. */
const SMALL_BOARD_PX = 280;

/** @extends {Marks<DotLayout>} */
export class DotMarks extends Marks {
  /** A new board. @param {DotLayout} layout */
  lay(layout) {
    const discs = () => ["ring", "rim", "disc"].map((name) => draw("circle", { class: name }));
    this.replace(layout, (dot) => [...discs(), draw("text", { class: dot > 9 ? "long" : "" }, String(dot))]);
  }

  /** @param {number} side  of the board, in CSS pixels @param {boolean} isWall */
  fit(side, isWall) {
    const { spacing = 1, gaps = [] } = this.layout ?? {};
    const wished = Math.max(side < SMALL_BOARD_PX ? 0 : READABLE_PX / side, Math.min(isWall ? RADIUS_ON_A_WALL : RADIUS, MAX_RADIUS_PER_SPACING * spacing));
    const least = Math.min(wished, LEAST_PX / side);
    this.each((mark, dot) => {
      const radius = Math.min(wished, Math.max(APART * gaps[dot], least));
      mark.style.setProperty("--dot", String(SCALE * radius));
      mark.toggleAttribute("data-small", radius * side < 0.8 * READABLE_PX);
    });
  }

  /** @param {Position} position @param {boolean} isFocusable  whether the dots there can be reached by keys */
  show(position, isFocusable) {
    const takers = new Map(position.closed.flatMap(({ dots, seat }) => dots.map((dot) => [dot, seat])));
    this.each((mark, dot) => mark.setAttribute("class", takers.has(dot) ? `dot gone seat-${takers.get(dot)}` : "dot"));
    this.label(isFocusable ? this.layout?.places.map((_, dot) => (takers.has(dot) ? null : dotLabel(dot, position))) : []);
  }

  /** Mark the dots aimed at, and the dot that was picked as the first of a line. @param {number[]} aimed @param {number | null} picked @param {number} seat @param {boolean} byKeys */
  point(aimed, picked, seat, byKeys) {
    this.svg.setAttribute("class", `marks seat-${seat}${byKeys ? " by-keys" : ""}`);
    this.each((mark, dot) => {
      mark.toggleAttribute("data-aimed", aimed.includes(dot));
      mark.toggleAttribute("data-picked", dot === picked);
      if (mark.getAttribute("role") === "button") mark.setAttribute("aria-pressed", String(dot === picked));
    });
  }
}
