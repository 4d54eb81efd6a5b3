/** What best play is worth: a switch, a line of words beside the board, and the best moves marked on it. */
import { Refused, get } from "./api.js";
import { need, setText } from "./dom.js";
import { switchBox } from "./switches.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").BoardElement} BoardElement */
/** @typedef {import("./film.js").Film} Film */

const ASK_AFTER_MS = 150;

export class Appraisal {
  /** @param {string} id @param {(analysis: Analysis) => string} words @param {BoardElement} board @param {Film} film */
  constructor(id, words, board, film) {
    this.id = id;
    this.words = words;
    this.board = board;
    this.film = film;
    this.place = need("[data-analysis]");
    this.box = switchBox("analysis", "exact value", false);
    this.input = /** @type {HTMLInputElement} */ (this.box.firstElementChild);
    this.input.addEventListener("change", () => this.#turn());
    need("[data-switches]").append(this.box);
    /** @type {Snapshot | null} */
    this.snapshot = null;
    /** The position that is asked about or told of; empty for none. */
    this.asked = "";
    this.timer = 0;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    this.snapshot = snapshot;
    this.#turn();
  }

  /** The position looked at, as far as it can be asked about. */
  #wanted() {
    const { snapshot, film } = this;
    if (!this.input.checked || !snapshot || (film.isLatest && snapshot.outcome)) return "";
    return JSON.stringify([film.ply, ...snapshot.moves.slice(0, film.ply).map(({ move }) => move)]);
  }

  /** Ask soon: who steps through a game quickly asks about one position, not about all. */
  #turn() {
    const wanted = this.#wanted();
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.board.appraise?.(null);
    this.#say("");
    clearTimeout(this.timer);
    this.box.setAttribute("aria-busy", String(wanted !== ""));
    if (wanted) this.timer = window.setTimeout(() => this.#ask(wanted, this.film.ply), ASK_AFTER_MS);
  }

  /** @param {string} wanted @param {number} ply */
  async #ask(wanted, ply) {
    const answer = await get(`/games/${this.id}/analysis?ply=${ply}`).catch((error) => error);
    if (wanted !== this.asked) return;
    this.box.setAttribute("aria-busy", "false");
    if (answer instanceof Error) return this.#say(answer instanceof Refused ? answer.message : "no analysis came");
    this.board.appraise?.(answer);
    this.#say(this.words(answer));
  }

  /** @param {string} words */
  #say(words) {
    this.place.hidden = !this.input.checked;
    setText(this.place, words);
  }
}
