/** Presence: players, each with a dot, and a line for viewers. */
import { setAttribute, setText, span } from "../base/dom.js";
import { formatList } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

/** Show in each row whether the player looks at the page. @param {HTMLElement} list @param {Snapshot} snapshot @param {MatchView} match */
export function showPresence(list, { seats }, { terms }) {
  if (!terms) return;
  seats.forEach(({ name }, player) => {
    const row = /** @type {HTMLElement} */ (list.children[player]);
    const presence = terms.here.includes(player) ? "here" : "away";
    const words = row.querySelector(".presence-words") ?? row.appendChild(span("presence-words unseen"));
    setAttribute(row, "data-presence", presence);
    setText(words, presence === "here" ? t("here") : t("offline"));
    setAttribute(/** @type {Element} */ (row.querySelector(".name")), "title", presence === "here" ? t("{name} is here", { name }) : t("{name} is offline", { name }));
  });
}

/** Show whom a viewer is watching. @param {HTMLElement} place @param {Snapshot} snapshot @param {string} refusal  why no seat was had */
export function showWatching(place, { seats }, refusal) {
  place.hidden = seats.some((seat) => seat.mine);
  setText(place, [refusal && `${refusal}.`, t("You are watching {names}.", { names: formatList(seats.map(({ name }) => name)) })].filter(Boolean).join(" "));
}
