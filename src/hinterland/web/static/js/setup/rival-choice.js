/** The choice of an opponent in three rows: a program by its level, a friend by a link, or somebody on this device. Choosing a row changes the seats; when the seats change, the row that fits them is ticked. */
import { keep, readKept } from "../base/api.js";
import { buttonOf, need, setText } from "../base/dom.js";
import { t } from "../base/words.js";
import { FRIEND } from "./named-seats.js";
import { program } from "./seat-form.js";

/** @import { GameEntry } from "../base/types.js" */
/** @import { NamedSeats } from "./named-seats.js" */

/** The choice that a row makes for the other seats; the row of programs is left out. @type {Record<string, string>} */
const PEOPLE = { friend: FRIEND, here: "person" };

/** Index of the level for newcomers, an easy one. */
const NEWCOMERS = 1;

/** The program of the level that was chosen last, or of the level for newcomers. @param {GameEntry} game */
export function opponentOf({ name, levels }) {
  const last = readKept(`hinterland.level.${name}`);
  return (levels.find(({ spec }) => spec === last) ?? levels[NEWCOMERS]).spec;
}

export class RivalChoice {
  #slider = /** @type {HTMLInputElement} */ (need("#level"));

  /** @param {GameEntry} game @param {NamedSeats} seats @param {string} opponent  the program to begin with */
  constructor(game, seats, opponent) {
    this.game = game;
    this.seats = seats;
    this.spec = opponent;
    this.rows = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[name=rival]")]);
    for (const row of this.rows) row.addEventListener("change", () => this.#choose(row.value));
    this.#slider.addEventListener("input", () => this.#rise(Number(this.#slider.value) - 1));
    this.#slider.disabled = false;
    // The visitor may have clicked before this script ran.
    const early = this.rows.find(({ checked }) => checked);
    if (early) this.#choose(early.value);
    this.show();
  }

  /** @param {string} rival */
  #choose(rival) {
    this.seats.seatOthers(PEOPLE[rival] ?? program(this.spec));
  }

  /** @param {number} level */
  #rise(level) {
    this.spec = this.game.levels[level].spec;
    keep(`hinterland.level.${this.game.name}`, this.spec);
    this.#choose("program");
  }

  /** Tick the row (program, friend, this device) that the current seats correspond to. */
  show() {
    const { others } = this.seats;
    const rival = others === null ? null : (Object.keys(PEOPLE).find((row) => PEOPLE[row] === others) ?? "program");
    if (others !== null && rival === "program") this.spec = others.slice(program("").length);
    for (const row of this.rows) row.checked = row.value === rival;
    need("[data-level-place]").hidden = rival !== "program";
    need("[data-to-all-place]").hidden = rival !== "friend";
    need("[data-opener-place]").hidden = rival === "friend";
    setText(buttonOf("start"), rival === "friend" ? t("Invite") : t("Start"));
    this.#showLevel();
  }

  #showLevel() {
    const { levels, players } = this.game;
    const number = levels.findIndex(({ spec }) => spec === this.spec);
    const { summary = "" } = players.find(({ name }) => name === this.spec.split(":")[0]) ?? {};
    const { title, summary: says = summary } = levels[number] ?? { title: this.spec };
    if (number >= 0) this.#slider.value = String(number + 1);
    this.#slider.setAttribute("aria-valuetext", number >= 0 ? t("{number} of {count}, {title}", { number: number + 1, count: levels.length, title }) : title);
    setText(need("[data-level]"), number >= 0 ? `${number + 1} · ${title}` : title);
    setText(need("[data-level-says]"), says);
  }
}
