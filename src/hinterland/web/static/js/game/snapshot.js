/** The state of a game at any of its moves, read from a snapshot. */

/** @import { Snapshot } from "../base/types.js" */
/** @typedef {{ ms: number, running: boolean, urgent: boolean }} Reading */

const URGENT_MS = 10_000;

/** The scores at the start, and after each move. @param {Snapshot} snapshot */
export const historyOf = ({ moves, seats }) => [seats.map(() => 0), ...moves.map(({ scores }) => scores)];

/** The scores after `ply` moves; after the latest move, the snapshot's own scores. @param {Snapshot} snapshot @param {number} ply */
export const scoresAt = (snapshot, ply) => (ply === snapshot.moves.length ? snapshot.scores : historyOf(snapshot)[ply]);

/** The seat that was to move after `ply` moves; null if none was. @param {Snapshot} snapshot @param {number} ply */
export const moverAt = ({ moves, to_move: mover }, ply) => (ply === moves.length ? mover : moves[ply].seat);

/**
 * The clocks after `ply` moves; after the latest move, as they stand `sinceMs` after the snapshot came. Without a
 * budget a clock counts up the time used.
 * @param {Snapshot} snapshot @param {number} ply @param {number} sinceMs @returns {Reading[]}
 */
export function readClocks({ clock, left_ms: left, clock_stands: stands, moves, seats, to_move: mover }, ply, sinceMs) {
  const isLatest = ply === moves.length;
  return seats.map((_, seat) => {
    const made = moves.slice(0, ply).filter((move) => move.seat === seat);
    const used = made.reduce((sum, { ms }) => sum + ms, 0);
    const earlier = clock?.budget_ms ? clock.budget_ms + made.length * clock.increment_ms - used : used;
    const now = isLatest ? (left?.[seat] ?? null) : null;
    const running = isLatest && seat === mover && !stands;
    const ms = Math.max(0, (now ?? earlier) + (running ? (now === null ? sinceMs : -sinceMs) : 0));
    return { ms, running, urgent: running && now !== null && ms < URGENT_MS };
  });
}
