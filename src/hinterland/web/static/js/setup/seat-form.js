/** The seats of a form: a person or a program in each. */
import { buttonOf, chip, make, need, span } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { GameEntry } from "../base/types.js" */
/** @typedef {{ choice: string, name: string }} Seat  choice: "program:<name>", or one of the form's own */
/** @typedef {{ seats: Seat[], people: Record<string, string>, programs: string, added: string }} Offer  people: choice -> words; programs: words; added: a new seat's choice */

const MIN_SEATS = 2;
const PROGRAM = "program:";

/** The choice of a program. @param {string} name */
export const program = (name) => PROGRAM + name;

/** The program in a seat, or null. @param {Seat} seat */
export const programOf = ({ choice }) => (choice.startsWith(PROGRAM) ? choice.slice(PROGRAM.length) : null);

export class SeatForm {
  /** @param {GameEntry} game @param {Offer} offer @param {() => void} changed */
  constructor(game, offer, changed) {
    this.list = need("[data-seat-choices]");
    this.add = buttonOf("add-seat");
    this.game = game;
    this.offer = offer;
    this.seats = offer.seats;
    this.changed = changed;
    this.add.addEventListener("click", () => this.resize(this.seats.length + 1));
    this.draw();
  }

  get count() {
    return this.seats.length;
  }

  /** @param {number} count */
  resize(count) {
    const wanted = Math.max(MIN_SEATS, Math.min(this.game.max_players, count));
    while (this.seats.length < wanted) this.seats.push({ choice: this.offer.added, name: "" });
    this.seats.length = wanted;
    this.#settle();
  }

  draw() {
    this.list.replaceChildren(...this.seats.map((seat, k) => this.#row(seat, k)));
    this.add.hidden = this.seats.length >= this.game.max_players;
  }

  /** @param {Seat} [here]  where keys are */
  #settle(here) {
    this.draw();
    this.changed();
    if (here) need("select", this.list.children[this.seats.indexOf(here)]).focus();
  }

  /** @param {Seat} seat @param {number} k */
  #row(seat, k) {
    const leave = make("button", { type: "button", class: "quiet", "aria-label": t("Remove player {number}", { number: k + 1 }) }, "✕");
    leave.hidden = this.seats.length <= MIN_SEATS;
    leave.addEventListener("click", () => {
      this.seats.splice(k, 1);
      this.#settle(this.seats[Math.min(k, this.seats.length - 1)]);
    });
    const beside = this.nameOf(seat, k) ?? span("says", this.#summary(programOf(seat)));
    return make("li", { class: `seat-choice seat-${k}` }, chip(), this.select(seat, k), beside, leave);
  }

  /** The description and strength of a program. @param {string | null} spec */
  #summary(spec) {
    const { summary = "" } = this.game.players.find(({ name }) => name === spec?.split(":")[0]) ?? {};
    const level = this.game.levels.find((one) => one.spec === spec);
    return level ? t("{program}, {elo} Elo: {summary}", { program: level.spec, elo: level.elo, summary }) : summary;
  }

  /** @param {Seat} seat @param {number} k @returns {HTMLSelectElement} */
  select(seat, k) {
    const option = (/** @type {string} */ value, /** @type {string} */ words) => make("option", { value }, words);
    const people = Object.entries(this.offer.people).map(([choice, words]) => option(choice, words));
    const levels = this.game.levels.map(({ title, spec }, n) => option(program(spec), t("Level {number} · {title}", { number: n + 1, title })));
    const ranked = new Set(this.game.levels.map(({ spec }) => spec));
    const programs = this.game.players.filter(({ name }) => !ranked.has(name)).map(({ name }) => option(program(name), name));
    const groups = [make("optgroup", { label: t("Levels") }, ...levels), make("optgroup", { label: this.offer.programs }, ...programs)];
    const select = make("select", { "aria-label": t("Player {number}", { number: k + 1 }), "data-seat-choice": k }, ...people, ...groups);
    select.value = seat.choice;
    select.addEventListener("change", () => {
      seat.choice = select.value;
      this.#settle(seat);
    });
    return select;
  }

  /** The field for the name in a seat, or null. @param {Seat} _seat @param {number} _k @returns {HTMLElement | null} */
  nameOf(_seat, _k) {
    return null;
  }
}
