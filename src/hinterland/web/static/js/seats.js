/** The seats of a game: who, how long yet, how much. */
import { make, need, setText } from "./dom.js";
import { clockText, counted, percent } from "./format.js";
import { sparkline } from "./charts.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./clocks.js").Reading} Reading */

export class Seats {
  /** @param {HTMLElement} list @param {string} unit */
  constructor(list, unit) {
    this.list = list;
    this.unit = unit;
    this.drawn = "";
    /** @type {number | null} */
    this.leader = null;
  }

  /** @param {Snapshot} snapshot @param {number} ply @param {number} total */
  show(snapshot, ply, total) {
    const { seats, moves, withdrawn, outcome, to_move: mover } = snapshot;
    while (this.list.children.length < seats.length) this.list.append(this.#row(this.list.children.length));
    this.list.dataset.crowd = seats.length > 4 ? "many" : seats.length > 2 ? "some" : "few";
    this.list.style.setProperty("--digits", String(counted(Math.max(1, total - 1)).length));
    const scores = scoresAt(snapshot, ply);
    const isLatest = ply === moves.length;
    seats.forEach((seat, k) => {
      const row = /** @type {HTMLElement} */ (this.list.children[k]);
      setText(need(".name", row), seat.name);
      need(".name", row).title = seat.name;
      setText(need(".cells", row), counted(scores[k]));
      setText(need(".share", row), percent(scores[k], total));
      const left = withdrawn.find((one) => one.seat === k);
      const words = left ? reasonText(left.reason) : isLatest && k === mover ? "to move" : isLatest && outcome?.winners.includes(k) ? "won" : "";
      setText(need(".state", row), outcome && outcome.winners.length === seats.length && words === "won" ? "drawn" : words);
      row.toggleAttribute("data-to-move", isLatest && k === mover);
      row.toggleAttribute("data-won", isLatest && outcome !== null && outcome.winners.includes(k));
      row.toggleAttribute("data-withdrawn", left !== undefined);
    });
    this.#lead(scores);
    this.#sparks(snapshot, ply);
  }

  /** A change of lead is the one thing that may move on a wall. @param {number[]} scores */
  #lead(scores) {
    const most = Math.max(...scores);
    const leader = most > 0 && scores.filter((score) => score === most).length === 1 ? scores.indexOf(most) : null;
    if (leader === this.leader) return;
    this.leader = leader;
    [...this.list.children].forEach((row, k) => row.toggleAttribute("data-leads", k === leader));
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  #sparks({ seats, moves }, ply) {
    const key = `${ply}/${moves.map(({ scores }) => scores.join()).join(";")}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const history = [seats.map(() => 0), ...moves.map(({ scores }) => scores)];
    // The first stones own nearly all for a moment: scale to what comes after everybody has one.
    const most = Math.max(...history.slice(seats.length).flat(), 1);
    seats.forEach((_, k) => {
      const values = history.map((scores) => Math.min(most, scores[k]));
      need(".chart", /** @type {HTMLElement} */ (this.list.children[k])).replaceChildren(sparkline(values, most, moves.length, ply));
    });
  }

  /** @param {Reading[]} readings */
  tick(readings) {
    readings.forEach(({ ms, running, urgent }, k) => {
      const clock = this.list.children[k]?.querySelector(".clock");
      if (!clock) return;
      setText(clock, clockText(ms));
      clock.classList.toggle("running", running);
      clock.classList.toggle("urgent", urgent);
    });
  }

  /** @param {number} seat */
  #row(seat) {
    return make(
      "li",
      { class: `seat seat-${seat}`, "data-seat": seat },
      make("span", { class: "chip", "aria-hidden": "true" }),
      make("span", { class: "name" }),
      make("span", { class: "state" }),
      make("span", { class: "clock number", role: "timer" }),
      make(
        "span",
        { class: "area" },
        make("span", { class: "cells number" }),
        make("span", { class: "unit" }, ` ${this.unit}`),
        make("span", { class: "share number" }),
      ),
      make("span", { class: "chart" }),
    );
  }
}

/** The areas after a move; at the latest, what the server says now. @param {Snapshot} snapshot @param {number} ply */
export function scoresAt({ moves, scores, seats }, ply) {
  if (ply === moves.length) return scores;
  return ply ? moves[ply - 1].scores : seats.map(() => 0);
}

/** @param {string} reason */
export function reasonText(reason) {
  /** @type {Record<string, string>} */
  const known = {
    time: "out of time",
    illegal: "illegal move",
    crash: "crashed",
    disconnect: "gone",
    start: "did not start",
    protocol: "broke the protocol",
    oversize: "line too long",
    flood: "sent too much",
  };
  return known[reason] ?? reason.replaceAll("_", " ");
}
