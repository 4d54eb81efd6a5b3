/**
 * Slows fast games down for viewers: moves that come too fast are shown one after the other, as a short replay.
 */
import { prefersStill } from "../base/dom.js";

/** @import { Snapshot } from "../base/types.js" */

const MAX_STEP_MS = 300;
const CATCH_UP_MS = 3000;

export class Pacer {
  /** @param {(snapshot: Snapshot) => void} show */
  constructor(show) {
    this.show = show;
    /** @type {Snapshot | null} */
    this.latest = null;
    this.shown = 0;
    this.timer = 0;
  }

  /** @param {Snapshot} snapshot @param {boolean} [atOnce]  for who plays: nothing is held back */
  take(snapshot, atOnce = false) {
    const before = this.latest;
    this.latest = snapshot;
    const isOther = before?.match?.key !== snapshot.match?.key;
    if (isOther) this.shown = 0;
    if (!before || atOnce || prefersStill.matches || document.hidden) this.shown = snapshot.moves.length;
    if (isOther || this.shown >= snapshot.moves.length) clearTimeout(this.timer);
    else if (this.timer) return;
    this.#step(snapshot);
  }

  /** @param {Snapshot} latest */
  #step(latest) {
    this.timer = 0;
    this.shown = Math.min(latest.moves.length, this.shown + 1);
    const behind = latest.moves.length - this.shown;
    this.show(behind ? after(latest, this.shown) : latest);
    if (behind) this.timer = window.setTimeout(() => this.latest && this.#step(this.latest), Math.min(MAX_STEP_MS, CATCH_UP_MS / (behind + 1)));
  }
}

/** The snapshot of a game after `ply` moves, without anything that happened later. @param {Snapshot} snapshot @param {number} ply @returns {Snapshot} */
function after(snapshot, ply) {
  const { match, moves } = snapshot;
  const games = match?.games.filter(({ number }) => number < match.number) ?? [];
  const players = (match?.players ?? []).map(({ name }, k) => ({
    name,
    total: games.reduce((sum, { scores }) => sum + scores[k], 0),
    won: games.filter(({ winners }) => winners.includes(k)).length,
    left: games.filter(({ out }) => out.some(({ player }) => player === k)).length,
  }));
  return {
    ...snapshot,
    moves: moves.slice(0, ply),
    scores: ply ? moves[ply - 1].scores : moves[ply].scores.map(() => 0),
    to_move: moves[ply].seat,
    outcome: null,
    withdrawn: [],
    match: match && { ...match, state: "playing", games, notice: null, winners: [], players },
  };
}
