/**
 * What is on the board after each line: a value, from which legal lines and cycles are read.
 *
 * Before a line is drawn there is never a cycle, so the lines are trees. A line that joins two dots of one tree closes
 * exactly one cycle: the way between them in the tree.
 */

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./plan.js").Line} Line */
/** @typedef {{ seat: number, move: number[] }} Placed */
/** @typedef {{ line: Line, seat: number, ply: number }} Drawn */
/** @typedef {{ dots: number[], seat: number, ply: number }} Closed  dots: as they follow one another; the last line joins the ends */
/** @typedef {{ ply: number, lines: Drawn[], closed: Closed[], present: number[], scores: number[] }} Standing */

/** @param {number} dots @param {number} seats @returns {Standing} */
export const begin = (dots, seats) => ({ ply: 0, lines: [], closed: [], present: Array.from({ length: dots }, (_, dot) => dot), scores: new Array(seats).fill(0) });

/** @param {number} a @param {number} b @returns {Line} */
export const lineOf = (a, b) => (a < b ? [a, b] : [b, a]);

/** @param {Line} one @param {Line} other */
export const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** The dots of the cycle that a line would close, from one end to the other; none where it closes none. @param {Standing} standing @param {Line} line */
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

/** @param {Standing} standing @param {Placed} placed @returns {Standing} */
export function after(standing, { seat, move }) {
  const line = lineOf(move[0], move[1]);
  const ply = standing.ply + 1;
  const dots = cycleOf(standing, line);
  if (!dots.length) return { ...standing, ply, lines: [...standing.lines, { line, seat, ply }] };
  return {
    ply,
    lines: standing.lines.filter((drawn) => !drawn.line.some((dot) => dots.includes(dot))),
    closed: [...standing.closed, { dots, seat, ply }],
    present: standing.present.filter((dot) => !dots.includes(dot)),
    scores: standing.scores.map((score, k) => score + (k === seat ? dots.length : 0)),
  };
}

/** All lines that may be drawn. @param {Plan} plan @param {Standing} standing @returns {Line[]} */
export function legalLines(plan, { present, lines }) {
  /** @type {Line[]} */
  const legal = [];
  present.forEach((a, k) => {
    for (const b of present.slice(k + 1)) {
      if (!lines.some(({ line }) => isSame(line, [a, b]) || plan.cross(line, [a, b]))) legal.push([a, b]);
    }
  });
  return legal;
}

/** A drawn line that another would cross, or null. @param {Plan} plan @param {Standing} standing @param {Line} line */
export const crossedBy = (plan, { lines }, line) => lines.find((drawn) => plan.cross(drawn.line, line))?.line ?? null;

/** The positions of a game, one after each line; where two games are the same they are kept. */
export class Game {
  /** @param {number} dots @param {number} seats */
  constructor(dots, seats) {
    this.standings = [begin(dots, seats)];
    /** @type {Placed[]} */
    this.moves = [];
  }

  /** @param {Placed[]} moves @returns {Standing} */
  goTo(moves) {
    const differs = this.moves.findIndex(({ seat, move }, k) => moves[k]?.seat !== seat || moves[k].move.join() !== move.join());
    const kept = differs < 0 ? this.moves.length : differs;
    this.standings.length = kept + 1;
    for (const placed of moves.slice(kept)) this.standings.push(after(this.standings[this.standings.length - 1], placed));
    this.moves = [...moves];
    return this.standings[moves.length];
  }
}
