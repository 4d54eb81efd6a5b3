/** The seats of a hosted match: programs that connect come first, players of the house after them. */
import { make, need, setText } from "./dom.js";

/** @typedef {import("./types.js").GameEntry} GameEntry */

const LEAST = 2;
const GUEST = "";

export class Guests {
  /** @param {HTMLElement} list @param {HTMLElement} add @param {GameEntry} game @param {() => void} changed */
  constructor(list, add, game, changed) {
    this.list = list;
    this.add = add;
    this.game = game;
    this.changed = changed;
    /** @type {string[]} a player of the house, or nothing for a program that connects */
    this.seats = [GUEST, GUEST];
    add.addEventListener("click", () => this.resize(this.seats.length + 1));
    this.#draw();
  }

  get count() {
    return this.seats.length;
  }

  /** The players of the house. */
  get house() {
    return this.seats.filter((seat) => seat !== GUEST);
  }

  /** Names for the empty board. */
  get names() {
    return this.seats.map((seat, k) => seat || `player ${k + 1}`);
  }

  /** @param {number} count */
  resize(count) {
    const wanted = Math.max(LEAST, Math.min(this.game.max_players, count));
    while (this.seats.length < wanted) this.seats.push(GUEST);
    this.seats.length = wanted;
    this.#draw();
    this.changed();
  }

  /** The first seat stays open: a match without guests is an ordinary game. */
  #draw() {
    this.seats.sort((one, other) => Number(one !== GUEST) - Number(other !== GUEST));
    this.seats[0] = GUEST;
    this.list.replaceChildren(...this.seats.map((seat, k) => this.#row(seat, k)));
    this.add.hidden = this.seats.length >= this.game.max_players;
  }

  /** @param {string} seat @param {number} k */
  #row(seat, k) {
    const programs = this.game.players.map(({ name }) => make("option", { value: name }, name));
    const select = make("select", { "aria-label": `Player ${k + 1}`, "data-chair": k });
    select.append(make("option", { value: GUEST }, "A program joins"), make("optgroup", { label: "Of the house" }, ...programs));
    select.value = seat;
    select.disabled = k === 0;
    const says = make("span", { class: "says" });
    setText(says, this.game.players.find(({ name }) => name === seat)?.summary ?? "");
    const leave = make("button", { type: "button", class: "quiet", "aria-label": `Without player ${k + 1}` }, "✕");
    leave.hidden = this.seats.length <= LEAST;
    leave.addEventListener("click", () => this.#remove(k));
    select.addEventListener("change", () => {
      this.seats[k] = select.value;
      this.#draw();
      this.changed();
    });
    return make("li", { class: `chair host-chair seat-${k}` }, make("span", { class: "chip", "aria-hidden": "true" }), select, says, leave);
  }

  /** @param {number} k */
  #remove(k) {
    this.seats.splice(k, 1);
    this.#draw();
    this.changed();
    need("select", this.list.children[Math.min(k, this.seats.length - 1)]).focus();
  }
}
