/** Taking a seat in a match and giving it up again, before the match begins. */
import { keep, readKept, leaveSeat, reasonOf, takeSeat } from "../base/api.js";
import { buttonOf, need, onPress, setText, whileBusy } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { MatchView, Snapshot } from "../base/types.js" */

export class SeatTaking {
  /** @param {string} id @param {(key: string | null) => void} changed  gets the key with which this browser plays @param {() => void} refused */
  constructor(id, changed, refused) {
    this.changed = changed;
    this.refused = refused;
    /** Why the seat could not be taken or left, in words; else empty. */
    this.refusal = "";
    this.name = /** @type {HTMLInputElement} */ (need("[data-seat-name]"));
    this.name.value = readKept("hinterland.name") ?? "";
    this.form = need("[data-take-seat]");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.name.value.trim();
      keep("hinterland.name", name);
      whileBusy(buttonOf("take-seat"), () => this.#become(takeSeat(id, name || t("Guest"))));
    });
    onPress("leave-seat", () => this.#become(leaveSeat(id)));
  }

  /** @param {Promise<string | null>} key  with which this browser plays from now on */
  #become(key) {
    this.#tell("");
    return key.then(this.changed).catch((error) => {
      this.#tell(sentence(reasonOf(error, t("that was not possible"))));
      this.refused();
    });
  }

  /** @param {string} refusal */
  #tell(refusal) {
    this.refusal = refusal;
    setText(need("[data-seat-error]"), refusal);
  }

  /** @param {Snapshot} snapshot @param {MatchView} match */
  show(snapshot, { lobby, state }) {
    const sits = snapshot.seats.some((seat) => seat.mine);
    const isOpen = state === "waiting" && lobby.takes_persons;
    this.form.hidden = !isOpen || sits || !lobby.guests.includes(null);
    buttonOf("leave-seat").hidden = !isOpen || !sits;
  }
}
