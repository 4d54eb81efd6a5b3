/** Hosting a match for programs: rules, seats, protocol, clock, and one bright button. */
import { Refused, openTable } from "./api.js";
import { need, needButton, pageData, setText } from "./dom.js";
import { sentence } from "./format.js";
import { Guests } from "./guests.js";
import { radios } from "./radios.js";
import { prepareRules } from "./rules-dialog.js";
import { RulesForm } from "./rules-form.js";
import { Trial } from "./trial.js";
import { loadView } from "./view-loader.js";

/** @typedef {import("./types.js").GameEntry} GameEntry */
/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Rules} Rules */

const CLOCKS = [
  { value: "10", label: "10 seconds" },
  { value: "60", label: "1 minute" },
  { value: "120", label: "2 minutes" },
  { value: "own", label: "other" },
];
const PROTOCOLS = [
  { value: "hps", label: "hps", title: "lines of numbers, for games with stones" },
  { value: "json", label: "json", title: "one JSON object a line, for every game; over TCP or WebSocket" },
];
const ILLEGAL = [
  { value: "usual", label: "as usual", title: "hps: only time, as in the course; json: the game" },
  { value: "forfeit", label: "the game" },
  { value: "skip", label: "the turn" },
  { value: "retry", label: "only time" },
];

class HostPage {
  /** @param {GameEntry} game @param {GameView} view */
  constructor(game, view) {
    this.game = game;
    this.view = view;
    this.choices = { clock: "120", protocol: "stones" in view.defaults ? "hps" : "json", illegal: "usual" };
    this.trial = new Trial(need("[data-board]"), game.name, view, {
      laid: (rules) => setText(need("[data-describe]"), view.describe(rules)),
      failed: (words) => setText(need("[data-error]"), sentence(words)),
    });
    this.trial.board.addEventListener("laid", (event) => this.rules.put(/** @type {CustomEvent} */ (event).detail));
    this.rules = new RulesForm(need("[data-fields]"), view, () => this.#changed());
    this.guests = new Guests(need("[data-chairs]"), need("[data-act=add-seat]"), game, () => this.#changed());
    const presets = game.presets.map(({ name, title, summary }) => ({ value: name, label: title, title: summary }));
    this.markPreset = radios(need("[data-presets]"), "preset", presets, (name) => this.#preset(name));
    this.#choice("[data-clocks]", "clock", CLOCKS);
    this.#choice("[data-protocols]", "protocol", "stones" in view.defaults ? PROTOCOLS : PROTOCOLS.slice(1));
    this.#choice("[data-illegal]", "illegal", ILLEGAL);
    need("[data-set-up]").addEventListener("submit", (event) => this.#submit(event));
    if (presets.length) this.#preset(presets[0].value);
    else this.rules.fill(view.defaults);
    this.#changed();
  }

  /** @param {string} place @param {"clock" | "protocol" | "illegal"} name @param {import("./radios.js").Choice[]} choices */
  #choice(place, name, choices) {
    radios(need(place), name, choices, (value) => {
      this.choices[name] = value;
      need("[data-clock-own]").hidden = this.choices.clock !== "own";
    })(this.choices[name]);
  }

  /** @param {string} name */
  #preset(name) {
    const preset = this.game.presets.find((one) => one.name === name);
    if (!preset) return;
    const rules = { ...this.view.defaults, ...preset.rules };
    this.rules.fill(rules);
    this.guests.resize(Number(rules.players));
  }

  #changed() {
    const rules = this.rules.read(this.guests.count);
    const sound = this.rules.check(rules);
    setText(need("[data-error]"), "");
    setText(need("[data-describe]"), sound ? this.view.describe(rules) : "");
    const same = this.game.presets.find((one) => this.rules.isPreset(one.rules, rules));
    this.markPreset(same?.name ?? null);
    need("main").toggleAttribute("data-laying", Boolean(this.view.layOut?.(rules)));
    if (sound || this.view.layOut?.(rules)) this.trial.show(rules, this.guests.names);
    else this.trial.cancel();
  }

  /** What is asked of the server. @param {Rules} rules */
  #wish(rules) {
    const { clock, protocol, illegal } = this.choices;
    return {
      game: this.game.name,
      players: this.guests.count,
      rules: this.view.sent?.(rules) ?? rules,
      house: this.guests.house,
      protocol,
      clock: { budget: Number(clock === "own" ? /** @type {HTMLInputElement} */ (need("#clock-seconds")).value : clock) },
      illegal: illegal === "usual" ? null : illegal,
      port: portWished(),
    };
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const rules = this.rules.read(this.guests.count);
    if (!this.rules.check(rules)) return this.rules.focusFault();
    const button = needButton("[data-act=start]");
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    setText(need("[data-error]"), "");
    try {
      location.assign(await openTable(this.#wish(rules)));
    } catch (error) {
      setText(need("[data-error]"), error instanceof Refused ? sentence(error.message) : "The table could not be opened.");
      button.disabled = false;
      button.removeAttribute("aria-busy");
    }
  }
}

/** The port, 0 for any. */
function portWished() {
  const { value, validity } = /** @type {HTMLInputElement} */ (need("#port"));
  if (validity.valid) return Number(value);
  throw new Refused(`Port: from 1024 to 65535 is possible, here ${value || "something else"}`);
}

const { games = [], game: name } = pageData();
const game = games.find((/** @type {GameEntry} */ one) => one.name === name);
const view = await loadView(game.name);
prepareRules(view);
new HostPage(game, view);
