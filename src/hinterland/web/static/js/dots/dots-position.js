/**
 * A position, that is, what is on the board after a line, as a value that never changes; and functions that find its
 * legal lines and the loops they close.
 *
 * A closed loop leaves the board at once, so the lines on the board never contain a cycle: they form trees. A line that
 * joins two dots of one tree closes exactly one cycle: this line and the way between its dots in the tree.
 */

/** @import { DotLayout, Line } from "./dot-layout.js" */
/** @typedef {{ seat: number, move: number[] }} Placed */
/** @typedef {{ line: Line, seat: number, ply: number }} Drawn */
/** @typedef {{ dots: number[], seat: number, ply: number }} Closed  dots: as they follow one another; the last line joins the ends */
/** @typedef {{ ply: number, lines: Drawn[], closed: Closed[], present: number[], scores: number[] }} Position */

/** @param {number} a @param {number} b @returns {Line} */
export const lineOf = (a, b) => (a < b ? [a, b] : [b, a]);

/** @param {Line} one @param {Line} other */
export const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** The dots of the loop that a line would close, in order; empty if it closes none. @param {Position} position @param {Line} line */
export function cycleOf({ lines }, [start, goal]) {
  /** @type {Map<number, number>} */
  const from = new Map([[start, start]]);
  for (const dot of from.keys()) {
    for (const { line } of lines) {
      const next = line[0] === dot ? line[1] : line[1] === dot ? line[0] : dot;
      if (!from.has(next)) from.set(next, dot);
    }
  }
  if (!from.has(goal)) return [];
  const cycle = [goal];
  for (let dot = goal; dot !== start; cycle.push(dot)) dot = /** @type {number} */ (from.get(dot));
  return cycle;
}

/** @param {Position} position @param {Placed} placed @returns {Position} */
export function after(position, { seat, move }) {
  const line = lineOf(move[0], move[1]);
  const ply = position.ply + 1;
  const dots = cycleOf(position, line);
  if (!dots.length) return { ...position, ply, lines: [...position.lines, { line, seat, ply }] };
  return {
    ply,
    lines: position.lines.filter((drawn) => !drawn.line.some((dot) => dots.includes(dot))),
    closed: [...position.closed, { dots, seat, ply }],
    present: position.present.filter((dot) => !dots.includes(dot)),
    scores: position.scores.map((score, k) => score + (k === seat ? dots.length : 0)),
  };
}

/** All legal lines. @param {DotLayout} layout @param {Position} position @returns {Line[]} */
export function legalLines(layout, { present, lines }) {
  /** @type {Line[]} */
  const legal = [];
  present.forEach((a, k) => {
    for (const b of present.slice(k + 1)) {
      if (!lines.some(({ line }) => isSame(line, [a, b]) || layout.cross(line, [a, b]))) legal.push([a, b]);
    }
  });
  return legal;
}

/** The first drawn line that `line` would cross, or null. @param {DotLayout} layout @param {Position} position @param {Line} line */
export const crossedBy = (layout, { lines }, line) => lines.find((drawn) => layout.cross(drawn.line, line))?.line ?? null;

/** The positions of a game: the start, and one after each line. `goTo` keeps the positions that the new moves share with the old ones. */
export class Game {
  /** @param {number} dots @param {number} seats */
  constructor(dots, seats) {
    const present = Array.from({ length: dots }, (_, dot) => dot);
    /** @type {Position[]} */
    this.positions = [{ ply: 0, lines: [], closed: [], present, scores: new Array(seats).fill(0) }];
    /** @type {Placed[]} */
    this.moves = [];
  }

  /** @param {Placed[]} moves @returns {Position} */
  goTo(moves) {
    const differs = this.moves.findIndex(({ seat, move }, k) => moves[k]?.seat !== seat || moves[k].move.join() !== move.join());
    const kept = differs < 0 ? this.moves.length : differs;
    this.positions.length = kept + 1;
    for (const placed of moves.slice(kept)) this.positions.push(after(this.positions[this.positions.length - 1], placed));
    this.moves = [...moves];
    return this.positions[moves.length];
  }
}
