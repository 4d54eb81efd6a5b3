/** Before a match: where programs connect, and who is here already. */
import { make, need, setText } from "./dom.js";
import { counted } from "./format.js";
import { clockWords } from "./match-words.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").MatchView} MatchView */

const PROTOCOLS = /** @type {Record<string, string>} */ ({
  hps: "protocol hps, lines of text",
  json: "protocol json, one object a line",
});

/** @param {Snapshot} snapshot @param {MatchView} match @param {string} rules  in words */
export function showLobby(snapshot, match, rules) {
  const { lobby, state, detail } = match;
  const missing = lobby.guests.filter((name) => name === null).length;
  const isClosed = state === "closed";
  setText(need("[data-lobby-state]"), isClosed ? `This table is closed: ${detail}.` : waitingText(missing));
  need("[data-lobby-where]").hidden = isClosed;
  setText(need("[data-lobby-address]"), lobby.address);
  const token = lobby.needs_token ? "; each shows its token" : "";
  setText(need("[data-lobby-how]"), `${PROTOCOLS[lobby.protocol] ?? `protocol ${lobby.protocol}`}${token}`);
  showSocket(lobby.socket);
  const games = match.of > 1 ? `${counted(match.of)} games` : "one game";
  setText(need("[data-lobby-terms]"), `${games} · ${rules} · ${clockWords(snapshot)}`);
  showGuests(lobby, isClosed);
}

/** @param {number} missing */
function waitingText(missing) {
  if (!missing) return "Everybody is here";
  return `Waiting for ${missing === 1 ? "one player" : `${missing} players`}`;
}

/** Programs may also come over a WebSocket, to the server of this page. @param {string | null} path */
function showSocket(path) {
  const place = need("[data-lobby-socket]");
  place.hidden = path === null;
  if (path !== null) setText(place, `or to ${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`);
}

/** @param {MatchView["lobby"]} lobby @param {boolean} isClosed */
function showGuests({ guests, house }, isClosed) {
  const list = need("[data-guests]");
  const key = JSON.stringify([guests, house, isClosed]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.dataset.crowd = guests.length + house.length > 4 ? "many" : "few";
  list.replaceChildren(
    ...guests.map((name, player) => guest(player, name ?? `player ${player + 1}`, name === null ? (isClosed ? "" : "waiting") : "here", name !== null)),
    ...house.map((name, k) => guest(guests.length + k, name, "of the house", true)),
  );
}

/** @param {number} player @param {string} name @param {string} state @param {boolean} isHere */
function guest(player, name, state, isHere) {
  return make(
    "li",
    { class: `guest seat-${player}`, "data-here": isHere },
    make("span", { class: "chip", "aria-hidden": "true" }),
    make("span", { class: "name" }, name),
    make("span", { class: "faint state" }, state),
  );
}
