/** What stands beside the board in words: whose turn it is, or how it ended. */
import { listed, percent } from "./format.js";
import { reasonText } from "./seats.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */

/** @param {Snapshot} snapshot @param {number} total @param {string} instruction  what the viewer can do at his turn */
export function statusText(snapshot, total, instruction) {
  const { outcome, seats, to_move: mover, can_move: mine } = snapshot;
  if (outcome) return outcomeText(snapshot, total);
  if (mover === null) return "";
  const others = seats.filter((seat) => seat.mine).length > 1;
  if (mine) return others ? `${seats[mover].name}: ${instruction}` : `Your turn: ${instruction}`;
  return seats[mover].kind === "program" ? `${seats[mover].name} is thinking` : `${seats[mover].name} is to move`;
}

/** @param {Snapshot} snapshot @param {number} total */
function outcomeText({ outcome, seats, withdrawn }, total) {
  if (!outcome) return "";
  const { winners, scores } = outcome;
  const left = withdrawn.map(({ seat, reason }) => `${seats[seat].name} ${reasonText(reason)}`);
  const why = left.length ? `. ${listed(left)}.` : "";
  if (winners.length !== 1) return `A draw between ${listed(winners.map((seat) => seats[seat].name))}${why}`;
  const best = percent(scores[winners[0]], total);
  const rest = scores.filter((_, seat) => seat !== winners[0]);
  const margin = rest.length === 1 ? `${best} to ${percent(rest[0], total)}` : best;
  return `${seats[winners[0]].name} wins${left.length ? why : `, ${margin}`}`;
}
