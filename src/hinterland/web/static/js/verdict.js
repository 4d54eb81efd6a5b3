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
  const { name, kind } = seats[mover];
  return kind === "program" ? `${name} is thinking` : `${name} ${isYou(name) ? "are" : "is"} to move`;
}

/** Who gave no name is called You, which wants other verbs. @param {string} name */
const isYou = (name) => name === "You";

/** @param {Snapshot} snapshot @param {number} total */
function outcomeText({ outcome, seats, withdrawn }, total) {
  if (!outcome) return "";
  const { winners, scores, reason, detail } = outcome;
  const left = listed(withdrawn.map((one) => `${seats[one.seat].name} ${reasonText(one.reason)}`));
  if (!winners.length) return `The game does not count: ${detail}`;
  const why = left ? `. ${left}.` : reason === "complete" ? "" : `. ${detail}.`;
  if (winners.length > 1) return `A draw between ${listed(winners.map((seat) => seats[seat].name))}${why}`;
  const [winner] = winners;
  const rest = scores.filter((_, seat) => seat !== winner);
  const margin = rest.length === 1 ? ` to ${percent(rest[0], total)}` : "";
  const { name } = seats[winner];
  return `${name} ${isYou(name) ? "win" : "wins"}${left ? "" : `, ${percent(scores[winner], total)}${margin}`}${why}`;
}
