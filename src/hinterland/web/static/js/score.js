/** How a match stands: what each player has so far, the games that are over, and what went wrong. */
import { make, need, setText } from "./dom.js";
import { counted } from "./format.js";
import { reasonText } from "./seats.js";

/** @typedef {import("./types.js").MatchView} MatchView */

/** What each player has from the games that are over, in its row. @param {HTMLElement} list @param {MatchView} match @param {string} unit */
export function showTallies(list, { players, games, state, winners }, unit) {
  players.forEach(({ won, total, left }, player) => {
    const row = /** @type {HTMLElement} */ (list.children[player]);
    const tally = row.querySelector(".tally") ?? row.appendChild(make("span", { class: "tally number" }));
    const parts = [`${counted(total)} ${unit} in all`, `${gamesText(won)} won`, ...(left ? [`out of ${gamesText(left)}`] : [])];
    setText(tally, games.length ? parts.join(" · ") : "");
    row.toggleAttribute("data-champion", state === "over" && winners.includes(player));
  });
}

/** @param {number} count */
const gamesText = (count) => `${count} ${count === 1 ? "game" : "games"}`;

/** A line a game. @param {HTMLElement} list @param {MatchView} match */
export function showGames(list, { players, games }) {
  const key = JSON.stringify(games);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...games.map(({ number, scores, winners, out }) => {
      const told = players.map(({ name }, player) => {
        const gone = out.find((one) => one.player === player);
        const score = make("span", { class: `player seat-${player}`, "data-won": winners.includes(player) });
        score.append(make("span", { class: "chip", "aria-hidden": "true" }), make("span", { class: "unseen" }, `${name} `), make("span", { class: "number" }, counted(scores[player])));
        if (gone) score.append(make("span", { class: "why" }, reasonText(gone.reason)));
        return score;
      });
      return make("li", {}, make("span", { class: "faint" }, `game ${number}`), ...told);
    }),
  );
  list.scrollTop = list.scrollHeight;
}

/** What everybody should know, big and clear. @param {HTMLElement} place @param {MatchView} match */
export function showNotice(place, { notice, players }) {
  const key = JSON.stringify(notice);
  place.hidden = notice === null;
  if (place.dataset.key === key || !notice) return;
  place.dataset.key = key;
  const { player, title, detail, kind } = notice;
  const isSeated = player !== null;
  place.className = isSeated ? `notice seat-${player}` : "notice";
  place.dataset.kind = kind;
  const name = isSeated ? [make("span", { class: "chip", "aria-hidden": "true" }), make("strong", {}, `${players[player].name} ${title}`)] : [make("strong", {}, title)];
  place.replaceChildren(make("span", { class: "notice-title" }, ...name), make("span", { class: "notice-detail" }, detail));
}

/** @param {MatchView} match */
export function clearScore({ players }) {
  const list = need("[data-seats]");
  if (list.children.length !== players.length) list.replaceChildren();
}
