/** A lesson of a few cards beside a first game, one card for each move of the person. One click skips the lesson for good. */
import { keep, readKept } from "../base/api.js";
import { make, need } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { Lesson, Snapshot } from "../base/types.js" */

/** @param {string} game */
const taught = (game) => `hinterland.taught.${game}`;

/** Let a game be a lesson, unless a lesson in this kind of game was shown in this browser before. @param {string} game @param {string} id */
export function teachOnce(game, id) {
  if (!readKept(taught(game))) keep("hinterland.lesson", id);
}

export class LessonCards {
  /** @param {string} id @param {string} game @param {Lesson} cards */
  constructor(id, game, cards) {
    this.place = need("[data-lesson]");
    this.game = game;
    this.cards = cards;
    this.on = readKept("hinterland.lesson") === id && !readKept(taught(game));
    this.shown = -1;
  }

  /** Show the card of the next move. @param {Snapshot} snapshot */
  show({ moves, seats, outcome }) {
    if (!this.on) return;
    const made = moves.filter(({ seat }) => seats[seat].mine).length;
    const last = this.cards.length - 1;
    const card = outcome ? last : Math.min(made, last);
    if (outcome) keep(taught(this.game), "yes");
    if (card === this.shown) return;
    this.shown = card;
    this.place.replaceChildren(...this.#draw(card));
    this.place.hidden = false;
  }

  /** @param {number} number */
  #draw(number) {
    const [title, words] = this.cards[number];
    const skip = make("button", { type: "button", class: "quiet" }, number < this.cards.length - 1 ? t("Skip the lesson") : t("Close"));
    skip.addEventListener("click", () => this.#skip());
    const steps = this.cards.map((_, k) => make("span", { class: k === number ? "step now" : "step" }));
    const foot = make("div", { class: "lesson-foot" }, make("span", { class: "steps", role: "img", "aria-label": t("Card {number} of {count}", { number: number + 1, count: this.cards.length }) }, ...steps), skip);
    return [make("h2", {}, title), make("p", {}, words), foot];
  }

  #skip() {
    keep(taught(this.game), "yes");
    this.on = false;
    this.place.hidden = true;
  }
}
