/** What stands beside the board in words: whose turn it is, or how it ended. */
import { listed, percent } from "../base/format.js";

/** @import { Snapshot } from "../base/types.js" */

/** @type {Record<string, string>} why somebody left a game */
const REASONS = {
  time: "out of time",
  illegal: "illegal move",
  crash: "crashed",
  disconnect: "gone",
  start: "did not start",
  protocol: "broke the protocol",
  oversize: "line too long",
  flood: "sent too much",
};

/** @param {string} reason */
export const reasonText = (reason) => REASONS[reason] ?? reason.replaceAll("_", " ");

/** @param {Snapshot} snapshot @param {number} total @param {string} instruction  what the viewer can do at his turn */
export function statusText(snapshot, total, instruction) {
  const { outcome, seats, to_move: mover, can_move: mine } = snapshot;
  if (outcome) return outcomeText(snapshot, total);
  if (mover === null) return "";
  const others = seats.filter((seat) => seat.mine).length > 1;
  if (mine) return others ? `${seats[mover].name}: ${instruction}` : `Your turn: ${instruction}`;
  const { name, kind } = seats[mover];
  return kind === "program" ? `${name} is thinking` : `${name} is to move`;
}

/** The one seat that this browser plays, if it is one. @param {Snapshot["seats"]} seats */
const ownSeat = (seats) => (seats.filter((seat) => seat.mine).length === 1 ? seats.findIndex((seat) => seat.mine) : -1);

/** @param {Snapshot} snapshot @param {number} total */
function outcomeText({ outcome, seats, withdrawn }, total) {
  if (!outcome) return "";
  const { winners, reason, detail } = outcome;
  const left = listed(withdrawn.map((one) => `${seats[one.seat].name} ${reasonText(one.reason)}`));
  if (!winners.length) return `The game does not count: ${detail}`;
  const why = left ? `. ${left}.` : reason === "complete" ? "" : `. ${detail}.`;
  if (winners.length > 1) return `A draw between ${listed(winners.map((seat) => seats[seat].name))}${why}`;
  const won = winners[0] === ownSeat(seats) ? "You win" : `${seats[winners[0]].name} wins`;
  return `${won}${left ? "" : `, ${marginText(outcome.scores, winners[0], total)}`}${why}`;
}

/** What the winner has, and the other if there is but one: `53.1 % to 46.9 %`. @param {number[]} scores @param {number} winner @param {number} total */
export function marginText(scores, winner, total) {
  const rest = scores.filter((_, seat) => seat !== winner);
  return [scores[winner], ...(rest.length === 1 ? rest : [])].map((score) => percent(score, total)).join(" to ");
}
