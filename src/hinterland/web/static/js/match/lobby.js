/** The lobby of a match: where programs connect, and who is here. */
import { chip, make, need, setText, span } from "../base/dom.js";
import { socketUrl } from "../base/api.js";
import { t, tn } from "../base/words.js";
import { clockWords } from "./match-status.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

const PROTOCOLS = /** @type {Record<string, string>} */ ({
  hps: t("protocol hps, lines of text"),
  json: t("protocol json, one message per line"),
});

/** @param {Snapshot} snapshot @param {MatchView} match @param {string} rules  in words @param {Record<string, string>} tokens */
export function showLobby(snapshot, match, rules, tokens) {
  const { lobby, state, detail } = match;
  const missing = lobby.guests.filter((name) => name === null).length;
  const isClosed = state === "closed";
  const waiting = missing ? tn("Waiting for one player", "Waiting for {count} players", missing) : t("Everybody is here");
  setText(need("[data-lobby-state]"), isClosed ? t("This match is closed: {why}.", { why: detail }) : waiting);
  need("[data-lobby-where]").hidden = isClosed;
  setText(need("[data-lobby-address]"), lobby.address);
  const token = lobby.needs_token ? t("; each sends its token") : "";
  setText(need("[data-lobby-how]"), `${PROTOCOLS[lobby.protocol] ?? t("protocol {name}", { name: lobby.protocol })}${token}`);
  // Programs may also connect by WebSocket, to the server of this page.
  need("[data-lobby-socket]").hidden = lobby.socket === null;
  setText(need("[data-lobby-socket]"), t("or to {address}", { address: socketUrl(lobby.socket ?? "") }));
  const games = tn("one game", "{count} games", Math.max(1, match.of));
  setText(need("[data-lobby-terms]"), `${games} · ${rules} · ${clockWords(snapshot)}`);
  const shown = Object.entries(tokens).map(([name, word]) => `${name} ${word}`);
  need("[data-tokens]").hidden = isClosed || !shown.length;
  setText(need("[data-token-list]"), shown.join(" · ")); // folded up, since the page may be shown on a wall, where all could read the tokens
  showGuests(lobby, isClosed);
}

/** @param {MatchView["lobby"]} lobby @param {boolean} isClosed */
function showGuests({ guests, house }, isClosed) {
  const list = need("[data-guests]");
  const key = JSON.stringify([guests, house, isClosed]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.dataset.crowd = guests.length + house.length > 4 ? "many" : "few";
  list.replaceChildren(
    ...guests.map((name, player) => guest(player, name ?? t("player {number}", { number: player + 1 }), name === null ? (isClosed ? "" : t("waiting")) : t("here"), name !== null)),
    ...house.map((name, k) => guest(guests.length + k, name, t("built-in"), true)),
  );
}

/** @param {number} player @param {string} name @param {string} state @param {boolean} isHere */
function guest(player, name, state, isHere) {
  return make("li", { class: `guest seat-${player}`, "data-here": isHere }, chip(), span("name", name), span("faint state", state));
}
