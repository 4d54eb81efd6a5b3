/** The list of moves: each move is a button that shows the position after that move. */
import { chip, make, onClick, setAttribute, span } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { GameView, MoveReview, Review, Snapshot } from "../base/types.js" */

export class MoveList {
  /** @param {HTMLElement} list @param {GameView} view @param {(ply: number) => void} go */
  constructor(list, view, go) {
    this.list = list;
    this.view = view;
    this.known = "";
    onClick(list, "ply", (ply) => go(Number(ply)));
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  show({ moves, seats }, ply) {
    const key = moves.map(({ move }) => move.join()).join(";");
    if (key !== this.known) {
      this.known = key;
      this.list.replaceChildren(...moves.map(({ seat, move, scores }, k) => {
        const gain = scores[seat] - (moves[k - 1]?.scores[seat] ?? 0);
        const text = this.view.moveText(move);
        const words = [span("number ply", String(k + 1)), chip(), span("number where", text), span("number gained", gain ? formatGain(gain) : "–")];
        const label = t("Move {number}, {name}: {move}", { number: k + 1, name: seats[seat].name, move: text });
        return make("li", {}, make("button", { type: "button", "data-ply": k + 1, class: `move seat-${seat}`, "aria-label": label }, ...words));
      }));
    }
    this.list.querySelectorAll("button").forEach((button, k) => setAttribute(button, "aria-current", k + 1 === ply ? "true" : null));
    // Scroll only the list, not the page.
    const entry = /** @type {HTMLElement | undefined} */ (this.list.children[ply - 1]);
    this.list.scrollTop = entry ? entry.offsetTop - this.list.offsetTop - this.list.clientHeight / 2 : 0;
  }

  /** Mark the moves on which players have notes. @param {Set<number>} noted  their numbers, from 1 */
  markNoted(noted) {
    this.list.querySelectorAll("button").forEach((button, k) => {
      if (!noted.has(k + 1) || button.hasAttribute("data-noted")) return;
      button.setAttribute("data-noted", "");
      button.setAttribute("aria-label", t("{move}, with a note", { move: button.getAttribute("aria-label") ?? "" }));
    });
  }

  /** Mark the loss of each move and the losing moves; null removes the marks. @param {Review | null} review */
  annotate(review) {
    this.list.toggleAttribute("data-reviewed", review !== null);
    this.list.querySelectorAll("button").forEach((button, k) => {
      button.querySelector(".lost")?.remove();
      const row = review?.moves[k];
      button.toggleAttribute("data-losing", row?.losing ?? false);
      if (row) button.append(span("number lost", lossText(row)));
    });
  }
}

/** What a move lost: `−24,106`; empty if it lost nothing, `?` if that is not known. @param {MoveReview} row */
const lossText = ({ loss }) => (loss === null ? "?" : loss ? formatGain(loss).replace("+", "−") : "");
