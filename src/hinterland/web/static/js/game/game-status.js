/** The status beside the board: whose turn it is, or how the game ended. */
import { formatList, sentence, shares } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { Snapshot } from "../base/types.js" */

/** @type {Record<string, string>} why somebody left a game */
const REASONS = {
  time: t("out of time"),
  illegal: t("illegal move"),
  resigned: t("resigned"),
  crash: t("crashed"),
  disconnect: t("gone"),
  start: t("did not start"),
  protocol: t("broke the protocol"),
  oversize: t("line too long"),
  flood: t("sent too much"),
};

/** Reasons whose whole detail is shown, for instance which rule was broken. For a seat that was late, only the advice in the detail is shown: the clock shows the rest. */
const EXPLAINED = new Set(["illegal", "crash", "start", "protocol", "oversize", "flood"]);

/** @param {string} reason */
export const reasonText = (reason) => REASONS[reason] ?? reason.replaceAll("_", " ");

/** @param {Snapshot} snapshot @param {number} total @param {string} instruction  what the viewer can do at his turn */
export function statusText(snapshot, total, instruction) {
  const { outcome, seats, to_move: mover, can_move: mine } = snapshot;
  if (outcome) return outcomeText(snapshot, total);
  if (mover === null) return "";
  const others = seats.filter((seat) => seat.mine).length > 1;
  if (mine) return others ? `${seats[mover].name}: ${instruction}` : t("Your turn: {instruction}", { instruction });
  const { name, kind } = seats[mover];
  return kind === "program" ? t("{name} is thinking", { name }) : t("{name} is to move", { name });
}

/** The seat that this browser plays; -1 if it plays none, or several. @param {Snapshot["seats"]} seats */
const ownSeat = (seats) => (seats.filter((seat) => seat.mine).length === 1 ? seats.findIndex((seat) => seat.mine) : -1);

/** Who left a game, and why: `anna illegal move: 38,31 is too close`. @param {Snapshot["withdrawn"][number]} left @param {Snapshot["seats"]} seats */
function leftText({ seat, reason, detail }, seats) {
  const told = t("{name} {why}", { name: seats[seat].name, why: reasonText(reason) });
  const more = EXPLAINED.has(reason) ? detail : reason === "time" ? detail.split("; ").slice(1).join("; ") : "";
  return more ? `${told}: ${more}` : told;
}

/** @param {Snapshot} snapshot @param {number} total */
function outcomeText({ outcome, seats, withdrawn }, total) {
  if (!outcome) return "";
  const { winners, reason, detail } = outcome;
  const left = formatList(withdrawn.map((one) => leftText(one, seats)));
  if (!winners.length) return t("The game does not count: {why}", { why: detail });
  const why = left ? `. ${left}${/[.?]$/.test(left) ? "" : "."}` : reason === "complete" ? "" : `. ${sentence(detail)}.`;
  if (winners.length > 1) return t("A draw between {names}", { names: formatList(winners.map((seat) => seats[seat].name)) }) + why;
  const won = winners[0] === ownSeat(seats) ? t("You win") : t("{name} wins", { name: seats[winners[0]].name });
  return [won, ...(left ? [] : [marginText(outcome.scores, winners[0], total)])].join(", ") + why;
}

/** The winner's score, and that of the opponent if there is only one: `53.1 % to 46.9 %`, `7 to 5`. @param {number[]} scores @param {number} winner @param {number} total */
export function marginText(scores, winner, total) {
  const told = shares(scores, total);
  const rest = told.filter((_, seat) => seat !== winner);
  return rest.length === 1 ? t("{one} to {other}", { one: told[winner], other: rest[0] }) : told[winner];
}
