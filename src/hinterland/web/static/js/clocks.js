/** The clocks of a game as a function of the time that has passed since its snapshot came. */

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {{ ms: number, running: boolean, urgent: boolean }} Reading */

const URGENT_MS = 10_000;

/** Milliseconds each seat has used up to a move. @param {Snapshot} snapshot @param {number} ply */
function usedMs({ moves, seats }, ply) {
  const used = new Array(seats.length).fill(0);
  for (const { seat, ms } of moves.slice(0, ply)) used[seat] += ms;
  return used;
}

/**
 * What the clocks show at the latest move, `sinceMs` after the snapshot. Without a clock the time used is counted up.
 * @param {Snapshot} snapshot @param {number} sinceMs @returns {Reading[]}
 */
export function readClocks(snapshot, sinceMs) {
  const { left_ms: left, to_move: mover } = snapshot;
  const base = left ?? usedMs(snapshot, snapshot.moves.length);
  return base.map((ms, seat) => {
    const running = seat === mover;
    const shown = Math.max(0, (ms ?? 0) + (running ? (left ? -sinceMs : sinceMs) : 0));
    return { ms: shown, running, urgent: running && left !== null && shown < URGENT_MS };
  });
}

/** What the clocks showed after an earlier move. @param {Snapshot} snapshot @param {number} ply @returns {Reading[]} */
export function readClocksAt(snapshot, ply) {
  const { clock, moves } = snapshot;
  return usedMs(snapshot, ply).map((used, seat) => {
    const placed = moves.slice(0, ply).filter((move) => move.seat === seat).length;
    const ms = clock?.budget_ms ? clock.budget_ms + placed * clock.increment_ms - used : used;
    return { ms: Math.max(0, ms), running: false, urgent: false };
  });
}
