/** Setting up a game: presets, rules, seats, clock, and one bright button. */
import { Refused, startGame } from "./api.js";
import { Chairs } from "./chairs.js";
import { need, needButton, pageData, setText } from "./dom.js";
import { sentence } from "./format.js";
import { radios } from "./radios.js";
import { prepareRules } from "./rules-dialog.js";
import { RulesForm } from "./rules-form.js";
import { Trial } from "./trial.js";
import { loadView } from "./view-loader.js";

/** @typedef {import("./types.js").GameEntry} GameEntry */
/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Rules} Rules */

const CLOCKS = [
  { value: "", label: "none" },
  { value: "60", label: "1 minute" },
  { value: "120", label: "2 minutes" },
  { value: "600", label: "10 minutes" },
  { value: "own", label: "other" },
];

class PlayPage {
  /** @param {GameEntry} game @param {GameView} view @param {Rules | null} [board]  the options of a board to begin with */
  constructor(game, view, board) {
    this.game = game;
    this.view = view;
    this.trial = new Trial(need("[data-board]"), game.name, view, {
      laid: (rules) => setText(need("[data-describe]"), view.describe(rules)),
      failed: (words) => setText(this.error, sentence(words)),
    });
    this.form = /** @type {HTMLFormElement} */ (need("[data-set-up]"));
    this.error = need("[data-error]");
    this.clock = "120";
    this.trial.board.addEventListener("laid", (event) => this.rules.put(/** @type {CustomEvent} */ (event).detail));
    this.rules = new RulesForm(need("[data-fields]"), view, () => this.#changed());
    this.chairs = new Chairs(need("[data-chairs]"), need("[data-act=add-seat]"), game, view.opponent, () => this.#changed());
    const presets = game.presets.map(({ name, title, summary }) => ({ value: name, label: title, title: summary }));
    this.markPreset = radios(need("[data-presets]"), "preset", presets, (name) => this.#preset(name));
    radios(need("[data-clocks]"), "clock", CLOCKS, (value) => this.#setClock(value))(this.clock);
    this.form.addEventListener("submit", (event) => this.#submit(event));
    this.#fill(board ?? this.game.presets[0]?.rules ?? {});
    this.#changed();
  }

  /** @param {string} name */
  #preset(name) {
    const preset = this.game.presets.find((one) => one.name === name);
    if (preset) this.#fill(preset.rules);
  }

  /** @param {Rules} options  what differs from the usual */
  #fill(options) {
    const rules = { ...this.view.defaults, ...(this.view.received?.(options) ?? options) };
    this.rules.fill(rules);
    this.chairs.resize(Number(rules.players));
  }

  /** @param {string} value */
  #setClock(value) {
    this.clock = value;
    need("[data-clock-own]").hidden = value !== "own";
  }

  /** @returns {{ budget: number } | null} */
  #clockWish() {
    if (!this.clock) return null;
    if (this.clock !== "own") return { budget: Number(this.clock) };
    const seconds = Number(/** @type {HTMLInputElement} */ (need("#clock-seconds")).value);
    if (!(seconds > 0)) throw new Refused("Clock: a number of seconds above 0 is needed");
    return { budget: seconds };
  }

  #changed() {
    const rules = this.rules.read(this.chairs.count);
    const sound = this.rules.check(rules);
    setText(this.error, "");
    setText(need("[data-describe]"), sound ? this.view.describe(rules) : "");
    const same = this.game.presets.find((one) => this.rules.isPreset(one.rules, rules));
    this.markPreset(same?.name ?? null);
    const names = this.chairs.wishes().map((wish) => (wish.kind === "person" ? wish.name : wish.player));
    need("main").toggleAttribute("data-laying", Boolean(this.view.layOut?.(rules)));
    if (sound || this.view.layOut?.(rules)) this.trial.show(rules, names);
    else this.trial.cancel();
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const rules = this.rules.read(this.chairs.count);
    if (!this.rules.check(rules)) return this.rules.focusFault();
    const button = needButton("[data-act=start]");
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    setText(this.error, "");
    try {
      const wish = { game: this.game.name, rules: this.view.sent?.(rules) ?? rules, seats: this.chairs.wishes(), clock: this.#clockWish(), seed: null };
      location.assign(await startGame(wish));
    } catch (error) {
      setText(this.error, error instanceof Refused ? sentence(error.message) : "The game could not be started.");
      button.disabled = false;
      button.removeAttribute("aria-busy");
    }
  }
}

const { games = [], game: name, board } = pageData();
const game = games.find((/** @type {GameEntry} */ one) => one.name === (name ?? need("main").dataset.game));
const view = await loadView(game.name);
prepareRules(view);
new PlayPage(game, view, board);
