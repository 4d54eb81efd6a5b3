/** Who is here: those who play, each with a dot, and whoever only watches, who is told so. */
import { setAttribute, setText, span } from "../base/dom.js";
import { formatList } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

/** Whether each player of a table of people looks at it, in its row. @param {HTMLElement} list @param {Snapshot} snapshot @param {MatchView} match */
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

/** Tell who does not play. @param {HTMLElement} place @param {Snapshot} snapshot @param {string} refusal  why no seat was had */
export function showWatching(place, { seats }, refusal) {
  place.hidden = seats.some((seat) => seat.mine);
  setText(place, [refusal && `${refusal}.`, t("You are watching {names}.", { names: formatList(seats.map(({ name }) => name)) })].filter(Boolean).join(" "));
}
