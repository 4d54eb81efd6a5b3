/** The waiting room of a challenge: the link for a friend, who is here, and the viewer's own name. */
import { keep, keyOf, offerToAll, reasonOf, renameSeat, socketUrl } from "../base/api.js";
import { buttonOf, chip, make, need, onPress, setText, span } from "../base/dom.js";
import { formatList, sentence } from "../base/format.js";
import { t, tn } from "../base/words.js";
import { clockWords } from "./match-status.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

const SAID_MS = 2500;

export class WaitingRoom {
  /** @param {string} id @param {string} title  of the game */
  constructor(id, title) {
    this.id = id;
    this.title = title;
    this.name = /** @type {HTMLInputElement} */ (need("[data-own-name]"));
    this.offer = /** @type {HTMLInputElement} */ (need("input[name=offer]"));
    this.name.addEventListener("change", () => this.#rename());
    need("[data-rename]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.name.blur();
    });
    this.offer.addEventListener("change", () => this.#tell(offerToAll(id, this.offer.checked)));
    onPress("copy", () => this.#copy());
  }

  /** @param {Snapshot} snapshot @param {MatchView} match @param {string} rules  in words */
  show(snapshot, match, rules) {
    const { lobby, state, terms } = match;
    const isClosed = state === "closed";
    const own = snapshot.seats.findIndex((seat) => seat.mine);
    const waits = !isClosed && own >= 0 && lobby.guests.includes(null);
    setText(need("[data-lobby-state]"), stateText(match, own, this.title));
    const first = lobby.guests[0];
    setText(need("[data-lobby-terms]"), [this.title, rules, clockWords(snapshot), first && t("{name} moves first, then you take turns", { name: first })].filter(Boolean).join(" · "));
    need("[data-invite]").hidden = need("[data-programs]").hidden = need("[data-rename]").hidden = !waits;
    setText(need("[data-lobby-socket]"), socketUrl(lobby.socket ?? ""));
    if (document.activeElement !== this.name && own >= 0) this.name.value = lobby.guests[own] ?? "";
    this.offer.checked = terms?.is_offered ?? false;
    // The person who made an invitation cannot leave the seat, but can cancel the invitation.
    buttonOf("leave-seat").hidden ||= keyOf("table", this.id) !== null;
    showPlayers(match, own);
  }

  #rename() {
    const name = this.name.value.trim();
    if (!name) return;
    keep("hinterland.name", name);
    this.#tell(renameSeat(this.id, name));
  }

  /** @param {Promise<unknown>} answer */
  #tell(answer) {
    const error = need("[data-seat-error]");
    answer.then(() => setText(error, ""), (fault) => setText(error, sentence(reasonOf(fault, t("that was not possible")))));
  }

  async #copy() {
    const link = /** @type {HTMLInputElement} */ (need("[data-invite-link]"));
    const button = buttonOf("copy");
    link.select();
    // If the page may not use the clipboard, people can copy the selected link.
    const done = await navigator.clipboard?.writeText(link.value).then(() => true, () => false);
    setText(button, done ? t("Copied") : t("Selected: copy it by hand"));
    window.setTimeout(() => setText(button, t("Copy the link")), SAID_MS);
  }
}

/** @param {MatchView} match @param {number} own  the number of who looks, -1 for nobody's @param {string} title */
function stateText({ lobby: { guests }, games, state, detail }, own, title) {
  if (state === "closed") return t("This invitation has ended: {why}.", { why: detail });
  const missing = guests.filter((name) => name === null).length;
  const here = guests.flatMap((name, player) => (name === null || player === own ? [] : [name]));
  if (!missing) return games.length ? t("Another game?") : t("Everybody is here");
  if (own < 0) return here.length ? tn("{names} invites you to a game of {title}", "{names} invite you to a game of {title}", here.length, { names: formatList(here), title }) : t("A game of {title}", { title });
  return tn("Waiting for your friend", "Waiting for {count} friends", missing);
}

/** @param {MatchView} match @param {number} own */
function showPlayers({ lobby: { guests }, terms, state }, own) {
  const list = need("[data-guests]");
  const here = terms?.here ?? [];
  const key = JSON.stringify([guests, here, own, state]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.dataset.crowd = guests.length > 4 ? "many" : "few";
  list.replaceChildren(...guests.map((name, player) => {
    const presence = name === null ? "" : here.includes(player) ? "here" : "away";
    const words = player === own ? t("you") : presence && (presence === "here" ? t("here") : t("offline"));
    const dot = make("span", { class: "presence", "data-presence": presence, "aria-hidden": "true" });
    return make("li", { class: `guest seat-${player}`, "data-here": name !== null }, chip(), span("name", name ?? t("waiting for a friend")), span("faint state", dot, words));
  }));
}
