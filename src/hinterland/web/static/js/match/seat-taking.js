/** How a person takes a seat at a table and gives it up again, before the match begins. */
import { keep, kept, leaveSeat, reasonOf, takeSeat } from "../base/api.js";
import { buttonOf, need, onPress, setText, whileBusy } from "../base/dom.js";
import { sentence } from "../base/format.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

export class SeatTaking {
  /** @param {string} id @param {(key: string | null) => void} changed  gets the key with which this browser plays */
  constructor(id, changed) {
    this.changed = changed;
    this.name = /** @type {HTMLInputElement} */ (need("[data-seat-name]"));
    this.name.value = kept("hinterland.name") ?? "";
    this.form = need("[data-take-seat]");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.name.value.trim();
      keep("hinterland.name", name);
      whileBusy(buttonOf("take-seat"), () => this.#become(takeSeat(id, name || "Visitor")));
    });
    onPress("leave-seat", () => this.#become(leaveSeat(id)));
  }

  /** @param {Promise<string | null>} key  with which this browser plays from now on */
  #become(key) {
    setText(need("[data-seat-error]"), "");
    return key.then(this.changed).catch((error) => setText(need("[data-seat-error]"), sentence(reasonOf(error, "that was not possible"))));
  }

  /** @param {Snapshot} snapshot @param {MatchView} match */
  show(snapshot, { lobby, state }) {
    const sits = snapshot.seats.some((seat) => seat.mine);
    const isOpen = state === "waiting" && lobby.takes_persons;
    this.form.hidden = !isOpen || sits || !lobby.guests.includes(null);
    buttonOf("leave-seat").hidden = !isOpen || !sits;
  }
}
