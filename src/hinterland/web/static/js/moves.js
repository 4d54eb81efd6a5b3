/** The list of moves; each is a button that turns the film to it. */
import { make } from "./dom.js";
import { gained } from "./format.js";
import { lossText } from "./review-words.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").GameView} GameView */

export class MoveList {
  /** @param {HTMLElement} list @param {GameView} view @param {(ply: number) => void} go */
  constructor(list, view, go) {
    this.list = list;
    this.view = view;
    this.known = "";
    list.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button?.dataset.ply) go(Number(button.dataset.ply));
    });
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  show({ moves, seats }, ply) {
    const key = moves.map(({ move }) => move.join()).join(";");
    if (key !== this.known) {
      this.known = key;
      this.list.replaceChildren(...moves.map((_, k) => this.#entry(moves, k, seats)));
    }
    this.list.querySelectorAll("button").forEach((button, k) => {
      if (k + 1 === ply) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    this.#reveal(ply);
  }

  /** What each move lost, and which lost the game; null takes it off again. @param {import("./types.js").Review | null} review */
  annotate(review) {
    this.list.toggleAttribute("data-reviewed", review !== null);
    this.list.querySelectorAll("button").forEach((button, k) => {
      button.querySelector(".lost")?.remove();
      const row = review?.moves[k];
      button.toggleAttribute("data-losing", row?.losing ?? false);
      if (row) button.append(make("span", { class: "number lost" }, lossText(row)));
    });
  }

  /** Scroll the list alone: the page stays where it is. @param {number} ply */
  #reveal(ply) {
    const entry = /** @type {HTMLElement | undefined} */ (this.list.children[ply - 1]);
    if (!entry) this.list.scrollTop = 0;
    else this.list.scrollTop = entry.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  /** @param {Snapshot["moves"]} moves @param {number} k @param {Snapshot["seats"]} seats */
  #entry(moves, k, seats) {
    const { seat, move, scores } = moves[k];
    const gain = scores[seat] - (moves[k - 1]?.scores[seat] ?? 0);
    const text = this.view.moveText(move);
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", "data-ply": k + 1, class: `move seat-${seat}`, "aria-label": `Move ${k + 1}, ${seats[seat].name}: ${text}` },
        make("span", { class: "number ply" }, String(k + 1)),
        make("span", { class: "chip", "aria-hidden": "true" }),
        make("span", { class: "number where" }, text),
        make("span", { class: "number gained" }, gained(gain)),
      ),
    );
  }
}
