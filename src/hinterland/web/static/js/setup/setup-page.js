/** The base of the set-up pages: presets, rules, seats, clock, the board beside them, and one start button. */
import { leaveFor, reasonOf } from "../base/api.js";
import { buttonOf, make, need, setText, whileBusy } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t } from "../base/words.js";
import { prepareRules } from "../board/rules-dialog.js";
import { BoardPreview } from "./board-preview.js";
import { RulesForm } from "./rules-form.js";

/** @import { GameEntry, GameView, Rules, RulesView } from "../base/types.js" */
/** @import { SeatForm } from "./seat-form.js" */
/** @typedef {{ value: string, label: string, title?: string }} Choice */

/**
 * A page implements `start`.
 * @template {SeatForm & { names: string[] }} Seats
 */
export class SetupPage {
  /** @type {Record<string, string>} the chosen value of each row of choices */
  choices = {};

  /**
   * @param {GameEntry} game @param {RulesView} view @param {Promise<GameView>} whole  the view with its board
   * @param {(changed: () => void) => Seats} seats @param {Choice[]} clocks @param {Rules | null} [options]  to begin with, as far as they differ from the usual
   */
  constructor(game, view, whole, seats, clocks, options) {
    this.game = game;
    this.view = view;
    this.preview = new BoardPreview(need("[data-board]"), game.name, view, whole, {
      put: (rules) => this.rules.put(rules),
      laid: (rules) => setText(need("[data-describe]"), view.describe(rules)),
      failed: (words) => this.#tell(sentence(words)),
    });
    this.rules = new RulesForm(need("[data-fields]"), view, game.limits, () => this.#changed());
    this.seats = seats(() => this.#changed());
    const presets = game.presets.map(({ name, title, summary }) => ({ value: name, label: title, title: summary }));
    this.markPreset = radios(need("[data-presets]"), "preset", presets, (name) => this.#fill(game.presets.find((one) => one.name === name)?.rules));
    this.offer("clock", clocks, "120");
    need("[data-set-up]").addEventListener("submit", (event) => this.#submit(event));
    prepareRules(whole);
    buttonOf("start").disabled = false; // disabled until here: earlier clicks would have had no effect
    this.#fill(options ?? game.presets[0]?.rules);
  }

  /** @param {string} name @param {Choice[]} choices @param {string} chosen */
  offer(name, choices, chosen) {
    this.choices[name] = chosen;
    const mark = radios(need(`[data-${name}s]`), name, choices, (value) => {
      this.choices[name] = value;
      need("[data-clock-own]").hidden = this.choices.clock !== "own";
    });
    mark(chosen);
  }

  /** The form has changed. */
  changed() {}

  /** The seconds of the chosen clock. */
  get seconds() {
    const { clock } = this.choices;
    return Number(clock === "own" ? /** @type {HTMLInputElement} */ (need("#clock-seconds")).value : clock);
  }

  /** @param {Rules} _rules @returns {Promise<string>} where it begins */
  async start(_rules) {
    return "";
  }

  /** @param {Rules} [options]  what differs from the usual */
  #fill(options = {}) {
    const rules = { ...this.view.defaults, ...(this.view.received?.(options) ?? options) };
    this.rules.fill(rules);
    this.seats.resize(Number(rules.players));
  }

  #changed() {
    const { view, game } = this;
    this.changed();
    const rules = this.rules.read(this.seats.count);
    const sound = this.rules.check(rules);
    const isLaid = Boolean(view.layOut?.(rules));
    this.#tell("");
    setText(need("[data-describe]"), sound ? view.describe(rules) : "");
    const preset = game.presets.find((one) => this.rules.isPreset(one.rules, rules));
    this.markPreset(preset?.name ?? null);
    setText(need("[data-preset-summary]"), preset?.summary ?? t("Custom rules"));
    need("main").toggleAttribute("data-laying", isLaid);
    if (sound || isLaid) this.preview.show(rules, this.seats.names);
    else this.preview.cancel();
  }

  /** @param {string} words */
  #tell(words) {
    setText(need("[data-error]"), words);
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const rules = this.rules.read(this.seats.count);
    if (!this.rules.check(rules)) return this.rules.focusFault();
    this.#tell("");
    whileBusy(buttonOf("start"), () =>
      this.start(this.view.sent?.(rules) ?? rules)
        .then(leaveFor)
        .catch((error) => this.#tell(sentence(reasonOf(error, t("The game could not be started."))))),
    );
  }
}

/**
 * Fill a place with a row of choices, of which one is selected.
 * @param {HTMLElement} place @param {string} name @param {Choice[]} choices @param {(value: string) => void} chosen
 * @returns {(value: string | null) => void} marks the one that holds
 */
export function radios(place, name, choices, chosen) {
  for (const { value, label, title = "" } of choices) {
    const input = make("input", { type: "radio", name, value });
    input.addEventListener("change", () => chosen(value));
    place.append(make("label", { class: "choice", title }, input, make("span", {}, label)));
  }
  return (value) => {
    for (const input of place.querySelectorAll("input")) input.checked = input.value === value;
  };
}
