/**
 * A finished game looked at again: what each move gained, what the best would have, and which moves lost it.
 *
 * A button asks the server once and then shows or hides what it said: words beside the board, the losses below the track of
 * the film and in the list of moves, and on the board a ghost of the best move at the one looked at.
 */
import { Refused, get } from "./api.js";
import { lossTrack } from "./charts.js";
import { make, need, needButton, setText } from "./dom.js";
import { aftermath, moveWords, verdicts } from "./review-words.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").BoardElement} BoardElement */
/** @typedef {import("./film.js").Film} Film */
/** @typedef {import("./moves.js").MoveList} MoveList */

/** @param {number | null} seat */
const chip = (seat) => (seat === null ? [] : [make("span", { class: `chip seat-${seat}`, "aria-hidden": "true" })]);

export class ReviewPanel {
  /** @type {Review | null} what the server said */
  review = null;
  on = false;
  /** The move whose best is on the board; 0 for none. */
  ghost = 0;
  /** What the words were made of. */
  told = -1;

  /** @param {string} id @param {GameView} view @param {BoardElement} board @param {Film} film @param {MoveList} moves */
  constructor(id, view, board, film, moves) {
    this.id = id;
    this.view = view;
    this.board = board;
    this.film = film;
    this.moves = moves;
    this.button = needButton("[data-act=analyse]");
    this.place = need("[data-review]");
    this.summary = need(".review-summary", this.place);
    this.move = need(".review-move", this.place);
    this.aftermath = need(".review-aftermath", this.place);
    this.track = need("[data-losses]");
    this.button.addEventListener("click", () => this.#toggle());
    this.place.addEventListener("click", (event) => this.#follow(event));
    this.track.addEventListener("click", (event) => this.#follow(event));
  }

  /** @param {Snapshot} snapshot */
  show({ outcome, moves }) {
    this.button.hidden = outcome === null || moves.length === 0;
    const { review, film } = this;
    if (!this.on || !review) return;
    this.#haunt(review);
    if (this.told === film.ply) return;
    this.told = film.ply;
    const row = review.moves[film.ply - 1];
    this.move.replaceChildren(...(row ? [...chip(row.seat), moveWords(row, review, this.view)] : []));
    setText(this.aftermath, row ? aftermath(row, review) : "");
  }

  async #toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    if (this.on && !this.review) await this.#ask();
    this.#apply();
  }

  async #ask() {
    this.button.disabled = true;
    this.button.setAttribute("aria-busy", "true");
    this.place.hidden = false;
    this.summary.replaceChildren("Weighing every move …");
    try {
      this.review = await get(`/games/${this.id}/review`);
    } catch (error) {
      this.on = false;
      this.button.setAttribute("aria-pressed", "false");
      this.board.refuse(error instanceof Refused ? error.message : "no analysis came");
    }
    this.button.disabled = false;
    this.button.removeAttribute("aria-busy");
  }

  /** Show or hide everything. */
  #apply() {
    const { review, on } = this;
    const shown = on && review !== null;
    this.place.hidden = this.track.hidden = !shown;
    document.body.dataset.review = shown ? "on" : "off";
    this.moves.annotate(shown ? review : null);
    this.told = -1;
    if (shown) {
      this.track.replaceChildren(...lossTrack(review.moves));
      this.summary.replaceChildren(...verdicts(review).flatMap((verdict) => this.#verdict(verdict)));
    } else if (this.ghost) {
      this.ghost = 0;
      this.board.suggest(null);
    }
    this.film.dispatchEvent(new Event("turn"));
  }

  /** A sentence, and a button for each losing move it names. @param {import("./review-words.js").Verdict} verdict */
  #verdict({ seat, words, moves, more }) {
    const links = moves.map((number) => make("button", { type: "button", class: "quiet number", "data-ply": number, "aria-label": `Losing move ${number}` }, String(number)));
    return [make("span", { class: "verdict" }, ...chip(seat), words, ...links, more)];
  }

  /** @param {Event} event */
  #follow({ target }) {
    const chosen = target instanceof Element ? target.closest("[data-ply]") : null;
    if (chosen instanceof HTMLElement) this.film.step(Number(chosen.dataset.ply) - this.film.ply);
  }

  /** The best move as a ghost beside the one that was made. @param {Review} review */
  #haunt(review) {
    const row = review.moves[this.film.ply - 1];
    const number = row?.loss ? row.number : 0;
    if (number === this.ghost) return;
    this.ghost = number;
    this.board.suggest(row && number ? { best: row.best ?? [], gain: row.best_gain ?? 0, seat: row.seat, quiet: true } : null);
  }
}
