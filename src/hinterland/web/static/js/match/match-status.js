/** What stands beside a match in words: which game, whose turn it is, how a game or the match ended. */
import { counted, listed } from "../base/format.js";
import { marginText } from "../game/game-status.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

/** Which game of how many, and which match where there are several. @param {MatchView} match */
export function headline({ number, of, match, matches }) {
  const game = of > 1 ? `Game ${number} of ${of}` : "One game";
  return matches > 1 ? `Match ${match} of ${matches} · ${game.toLowerCase()}` : game;
}

/** How a match of two stands, by what decides it: the sums. @param {MatchView} match */
export function scoreLine({ players, games }) {
  return players.length === 2 && games.length ? players.map(({ total }) => counted(total)).join(" : ") : "";
}

/** @param {Snapshot} snapshot @param {MatchView} match @param {number} total @param {string} unit */
export function matchStatus(snapshot, match, total, unit) {
  if (match.state === "over") return resultText(match, unit);
  if (match.state === "closed") return `This table is closed: ${match.detail}.`;
  if (snapshot.outcome) return gameText(snapshot, match, total);
  if (snapshot.to_move === null) return "";
  return `${snapshot.seats[snapshot.to_move].name} is to move`;
}

/** How the match ended. @param {MatchView} match @param {string} unit */
function resultText({ players, winners, games, of }, unit) {
  if (!games.length) return "The match is over; no game was finished.";
  const names = winners.map((player) => players[player].name);
  const early = games.length < of ? ` after ${games.length} of ${of} games` : "";
  if (names.length > 1) return `${listed(names)} share the win${early}`;
  const [winner] = winners;
  const others = players.filter((_, player) => player !== winner).map(({ total }) => total);
  const behind = others.length === 1 ? ` to ${counted(others[0])}` : "";
  return `${names[0]} wins the match${early}: ${counted(players[winner].total)}${behind} ${unit}`;
}

/** How a game ended, and that another follows. @param {Snapshot} snapshot @param {MatchView} match @param {number} total */
function gameText({ outcome, seats }, { number, of }, total) {
  if (!outcome) return "";
  const next = number < of ? ` Game ${number + 1} follows.` : "";
  const { winners, scores } = outcome;
  if (!winners.length) return `Game ${number} does not count; it is played again.`;
  if (winners.length > 1) return `Game ${number} is a draw between ${listed(winners.map((player) => seats[player].name))}.${next}`;
  return `${seats[winners[0]].name} wins game ${number}, ${marginText(scores, winners[0], total)}.${next}`;
}

/** The clock of every player in words. @param {Snapshot} snapshot */
export function clockWords({ clock }) {
  if (!clock) return "no clock";
  const seconds = (/** @type {number} */ ms) => `${counted(ms / 1000)} s`;
  const parts = [];
  if (clock.budget_ms !== null) parts.push(`${seconds(clock.budget_ms)} each`);
  if (clock.increment_ms) parts.push(`${seconds(clock.increment_ms)} more for each move`);
  if (clock.move_ms !== null) parts.push(`at most ${seconds(clock.move_ms)} a move`);
  return parts.join(", ");
}
