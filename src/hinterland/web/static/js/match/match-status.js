/** The status of a match: which game, whose turn it is, how a game or the match ended. */
import { formatNumber, formatList } from "../base/format.js";
import { t, tn } from "../base/words.js";
import { marginText } from "../game/game-status.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

/** The number of the game, and the number of the match if there are several matches. @param {MatchView} match */
export function headline({ number, of, match, matches }) {
  const game = of > 1 ? t("Game {number} of {count}", { number, count: of }) : of ? t("One game") : t("Game {number}", { number });
  return matches > 1 ? `${t("Match {number} of {count}", { number: match, count: matches })} · ${game}` : game;
}

/** The score of a match of two players: their totals, or the games that each has won if the number of games is open. @param {MatchView} match */
export function scoreLine({ players, games, of }) {
  const isTold = players.length === 2 && games.length > 0;
  return isTold ? players.map(({ total, won }) => formatNumber(of ? total : won)).join(" : ") : "";
}

/** @param {Snapshot} snapshot @param {MatchView} match @param {number} total @param {string} unit */
export function matchStatus(snapshot, match, total, unit) {
  if (match.state === "over" && match.of) return resultText(match, unit);
  if (match.state === "closed") return t("This match is closed: {why}.", { why: match.detail });
  if (snapshot.outcome) return gameText(snapshot, match, total);
  if (snapshot.to_move === null) return "";
  return moverText(snapshot, match);
}

/** The player to move, and whether that person is offline. @param {Snapshot} snapshot @param {MatchView} match */
export function moverText({ seats, to_move: mover }, { terms }) {
  if (mover === null) return "";
  const { name } = seats[mover];
  return terms && !terms.here.includes(mover) ? t("{name}’s turn – offline", { name }) : t("{name} is to move", { name });
}

/** How the match ended. @param {MatchView} match @param {string} unit */
function resultText({ players, winners, games, of }, unit) {
  if (!games.length) return t("The match is over; no game was finished.");
  const names = winners.map((player) => players[player].name);
  const isEarly = games.length < of;
  const early = { played: games.length, count: of };
  const told = { names: formatList(names), ...early };
  if (names.length > 1) return isEarly ? t("{names} share the win after {played} of {count} games", told) : t("{names} share the win", told);
  const [winner] = winners;
  const others = players.filter((_, player) => player !== winner).map(({ total }) => total);
  const own = formatNumber(players[winner].total);
  const score = `${others.length === 1 ? t("{one} to {other}", { one: own, other: formatNumber(others[0]) }) : own} ${unit}`;
  const result = { name: names[0], score, ...early };
  return isEarly ? t("{name} wins the match after {played} of {count} games: {score}", result) : t("{name} wins the match: {score}", result);
}

/** How a game ended, and which game follows. @param {Snapshot} snapshot @param {MatchView} match @param {number} total */
function gameText({ outcome, seats }, { number, of }, total) {
  if (!outcome) return "";
  const next = number < of ? ` ${t("Game {number} follows.", { number: number + 1 })}` : "";
  const { winners, scores } = outcome;
  if (!winners.length) return t("Game {number} does not count; it is played again.", { number });
  if (winners.length > 1) return t("Game {number} is a draw between {names}.", { number, names: formatList(winners.map((player) => seats[player].name)) }) + next;
  return t("{name} wins game {number}, {score}.", { name: seats[winners[0]].name, number, score: marginText(scores, winners[0], total) }) + next;
}

/** The clock of every player in words. @param {Pick<Snapshot, "clock">} snapshot */
export function clockWords({ clock }) {
  if (!clock) return t("no clock");
  const seconds = (/** @type {number} */ ms) => (ms >= 60_000 && ms % 60_000 === 0 ? tn("{count} minute", "{count} minutes", ms / 60_000) : t("{count} s", { count: formatNumber(ms / 1000) }));
  const parts = [];
  if (clock.budget_ms !== null) parts.push(t("{time} per player", { time: seconds(clock.budget_ms) }));
  if (clock.increment_ms) parts.push(t("{time} more per move", { time: seconds(clock.increment_ms) }));
  if (clock.move_ms !== null) parts.push(t("at most {time} per move", { time: seconds(clock.move_ms) }));
  return parts.join(", ");
}
