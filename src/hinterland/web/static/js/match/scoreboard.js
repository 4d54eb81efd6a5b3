/** The score of a match: totals, finished games, and faults. */
import { chip, make, setText, span } from "../base/dom.js";
import { formatNumber } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t, tn } from "../base/words.js";
import { reasonText } from "../game/game-status.js";

/** @import { MatchView } from "../base/types.js" */

/** Show each player's total and wins in the player's row. @param {HTMLElement} list @param {MatchView} match @param {string} unit */
export function showTallies(list, { players, games, state, winners }, unit) {
  players.forEach(({ won, total, left }, player) => {
    const row = /** @type {HTMLElement} */ (list.children[player]);
    const tally = row.querySelector(".tally") ?? row.appendChild(span("tally number"));
    const parts = [t("total {score}", { score: `${formatNumber(total)} ${unit}` }), tn("{count} win", "{count} wins", won), ...(left ? [tn("left {count} game", "left {count} games", left)] : [])];
    setText(tally, games.length ? parts.join(" · ") : "");
    row.toggleAttribute("data-champion", state === "over" && winners.includes(player));
  });
}

/** One line per game. @param {HTMLElement} list @param {MatchView} match */
export function showGames(list, { players, games }) {
  const key = JSON.stringify(games);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...games.map(({ id, number, scores, winners, out }) => {
      const told = players.map(({ name }, player) => {
        const gone = out.find((one) => one.player === player);
        const words = [span("unseen", `${name} `), span("number", formatNumber(scores[player])), ...(gone ? [span("why", reasonText(gone.reason))] : [])];
        return make("span", { class: `player seat-${player}`, "data-won": winners.includes(player) }, chip(), ...words);
      });
      const title = t("game {number}", { number });
      const name = id ? make("a", { href: urlOf(`/games/${id}`), title: t("Replay, analyse or save this game") }, title) : span("faint", title);
      return make("li", {}, name, ...told);
    }),
  );
  list.scrollTop = list.scrollHeight;
}

/** Show a notice for everybody, in large letters. @param {HTMLElement} place @param {MatchView} match */
export function showNotice(place, { notice, players }) {
  const key = JSON.stringify(notice);
  place.hidden = notice === null;
  if (place.dataset.key === key || !notice) return;
  place.dataset.key = key;
  const { player, title, detail, kind } = notice;
  const isSeated = player !== null;
  place.className = isSeated ? `notice seat-${player}` : "notice";
  place.dataset.kind = kind;
  const name = isSeated ? [chip(), make("strong", {}, `${players[player].name} ${title}`)] : [make("strong", {}, title)];
  place.replaceChildren(span("notice-title", ...name), span("notice-detail", detail));
}
