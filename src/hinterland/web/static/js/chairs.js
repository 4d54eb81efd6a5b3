/** Who plays: for every seat you, another person on this screen, or a program. */
import { keep, kept } from "./api.js";
import { make, need, needButton, setText } from "./dom.js";

/** @typedef {import("./types.js").GameEntry} GameEntry */
/** @typedef {import("./api.js").SeatWish} SeatWish */
/** @typedef {{ choice: string, name: string }} Chair  choice: "you", "person" or "program:<name>" */

const LEAST = 2;
const LONGEST_NAME = 40;

export class Chairs {
  /** @param {HTMLElement} list @param {HTMLElement} add @param {GameEntry} game @param {string} opponent @param {() => void} changed */
  constructor(list, add, game, opponent, changed) {
    this.list = list;
    this.add = add;
    this.game = game;
    this.changed = changed;
    const known = game.players.some(({ name }) => name === opponent);
    this.program = `program:${known ? opponent : game.players[0]?.name}`;
    /** @type {Chair[]} */
    this.chairs = [{ choice: "you", name: kept("hinterland.name") ?? "" }, { choice: this.program, name: "" }];
    add.addEventListener("click", () => this.resize(this.chairs.length + 1));
    this.#draw();
  }

  /** @param {number} count */
  resize(count) {
    const wanted = Math.max(LEAST, Math.min(this.game.max_players, count));
    while (this.chairs.length < wanted) this.chairs.push({ choice: this.program, name: "" });
    this.chairs.length = wanted;
    this.#draw();
    this.changed();
  }

  get count() {
    return this.chairs.length;
  }

  /** @returns {SeatWish[]} */
  wishes() {
    return this.chairs.map(({ choice, name }, k) => {
      if (choice.startsWith("program:")) return { kind: "program", player: choice.slice("program:".length) };
      return { kind: "person", name: name.trim() || (choice === "you" ? "You" : `Player ${k + 1}`) };
    });
  }

  #draw() {
    this.list.replaceChildren(...this.chairs.map((chair, k) => this.#row(chair, k)));
    this.add.hidden = this.chairs.length >= this.game.max_players;
  }

  /** @param {Chair} chair @param {number} k */
  #row(chair, k) {
    const select = this.#select(chair, k);
    const name = make("input", { type: "text", maxlength: LONGEST_NAME, "aria-label": `Name of player ${k + 1}`, placeholder: "name", autocomplete: "off" });
    name.value = chair.name;
    name.addEventListener("input", () => {
      chair.name = name.value;
      if (chair.choice === "you") keep("hinterland.name", name.value);
    });
    const says = make("span", { class: "says" });
    const leave = make("button", { type: "button", class: "quiet", "aria-label": `Without player ${k + 1}` }, "✕");
    leave.hidden = this.chairs.length <= LEAST;
    leave.addEventListener("click", () => this.#remove(k));
    const row = make("li", { class: `chair seat-${k}` }, make("span", { class: "chip", "aria-hidden": "true" }), select, name, says, leave);
    const settle = () => {
      const program = this.game.players.find((one) => `program:${one.name}` === select.value);
      name.hidden = program !== undefined;
      says.hidden = program === undefined;
      setText(says, program?.summary ?? "");
    };
    select.addEventListener("change", () => {
      chair.choice = select.value;
      settle();
      this.changed();
    });
    settle();
    return row;
  }

  /** @param {Chair} chair @param {number} k */
  #select(chair, k) {
    const programs = this.game.players.map(({ name }) => make("option", { value: `program:${name}` }, name));
    const select = make("select", { "aria-label": `Player ${k + 1}`, "data-chair": k });
    select.append(
      make("option", { value: "you" }, "You"),
      make("option", { value: "person" }, "Another person here"),
      make("optgroup", { label: "Programs" }, ...programs),
    );
    select.value = chair.choice;
    return select;
  }

  /** @param {number} k */
  #remove(k) {
    this.chairs.splice(k, 1);
    this.#draw();
    this.changed();
    need("select", this.list.children[Math.min(k, this.chairs.length - 1)]).focus();
    needButton("[data-act=add-seat]").hidden = false;
  }
}
