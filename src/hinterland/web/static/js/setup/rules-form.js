/** The rules of a game as form fields, each with its fault beside it; a field is shown only if it matters. */
import { make, need, setAttribute, setText, span } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { Rules, RulesField, RulesView } from "../base/types.js" */
/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/** Random seeds are drawn below this number, so that people can say and type them. */
const RANDOM_SEED_LIMIT = 1_000_000;

/** @param {RulesField} field @param {Rules} rules */
const isShown = (field, rules) => field.shown?.(rules) ?? true;

export class RulesForm {
  /** @param {HTMLElement} place @param {RulesView} view @param {Record<string, number>} limits  of the server @param {() => void} changed */
  constructor(place, view, limits, changed) {
    for (const field of view.fields) field.most ??= limits[field.name];
    this.view = view;
    this.limits = limits;
    this.changed = changed;
    /** @type {Map<string, { field: RulesField, input: Input, box: HTMLElement }>} */
    this.rows = new Map();
    for (const field of view.fields) place.append(this.#row(field));
    for (const field of view.fields) if (field.drawn) this.#draw(field);
    place.addEventListener("input", changed);
  }

  /** @param {RulesField} field */
  #row(field) {
    const { name, label, kind, drawn } = field;
    const id = `rule-${name}`;
    const input = inputOf(field, id);
    input.setAttribute("aria-describedby", `${id}-fault`);
    // Points are placed on the board beside the form; the form counts them, and can clear them.
    const places = () => [make("output", { class: "number" }, "0"), this.#button(t("clear"), () => (input.value = "[]"))];
    const more = kind === "places" ? places() : drawn ? [this.#button(drawn, () => this.#draw(field))] : [];
    const words = [label, " ", span("faint")];
    const head = kind === "places" ? make("p", { class: "field-name" }, ...words) : make("label", { for: id }, ...words);
    const fault = make("p", { class: "error", id: `${id}-fault`, role: kind === "places" && "status" });
    const box = make("div", { class: kind === "choice" || more.length ? "field broad" : "field" }, head, make("div", { class: "field-row" }, input, ...more), fault);
    this.rows.set(name, { field, input, box });
    return box;
  }

  /** @param {string} words @param {() => void} act */
  #button(words, act) {
    const button = make("button", { type: "button", class: "quiet" }, words);
    button.addEventListener("click", () => {
      act();
      this.changed();
    });
    return button;
  }

  /** @param {string} name */
  #input(name) {
    return /** @type {{ input: Input }} */ (this.rows.get(name)).input;
  }

  /** @param {RulesField} field */
  #draw({ name }) {
    this.#input(name).value = String(Math.floor(Math.random() * RANDOM_SEED_LIMIT));
  }

  /** Fill in the values that the viewer has set on the board by hand. @param {Rules} rules */
  put(rules) {
    for (const [name, value] of Object.entries(rules)) this.#input(name).value = JSON.stringify(value);
    this.changed();
  }

  /** Fill in the fields, but leave random seeds as they are. @param {Rules} rules */
  fill(rules) {
    for (const { name, drawn, kind } of this.view.fields) {
      if (!drawn) this.#input(name).value = kind === "places" ? JSON.stringify(rules[name] ?? []) : String(rules[name] ?? "");
    }
  }

  /** The values of the fields that matter: null for an optional field that is empty, NaN for an invalid number. @param {number} players @returns {Rules} */
  read(players) {
    /** @type {Rules} */
    const rules = { ...this.view.defaults, players };
    for (const { field: { name, kind, optional }, input } of this.rows.values()) {
      const text = input.value.trim();
      const isBlank = text === "" && !(input instanceof HTMLInputElement && input.validity.badInput);
      if (kind === "places") rules[name] = JSON.parse(text);
      else if (kind === "choice") rules[name] = text;
      else rules[name] = isBlank && optional ? null : text === "" ? NaN : Number(text);
    }
    return this.#relevant(rules);
  }

  /** @param {Rules} rules @returns {Rules} */
  #relevant(rules) {
    const idle = this.view.fields.filter((field) => !isShown(field, rules)).map(({ name }) => name);
    return Object.fromEntries(Object.entries(rules).filter(([name]) => !idle.includes(name)));
  }

  /** Whether rules equal a preset in all but random seeds. @param {Rules} preset @param {Rules} rules */
  isPreset(preset, rules) {
    const wanted = this.#relevant({ ...this.view.defaults, ...preset });
    return Object.keys(wanted).every((name) => wanted[name] === rules[name] || this.rows.get(name)?.field.drawn);
  }

  /** Show the fields that matter, with their faults; return whether there are no faults. @param {Rules} rules */
  check(rules) {
    const { view: { fields, relations }, limits } = this;
    const own = fields.filter((field) => isShown(field, rules)).map((field) => [field.name, faultOf(field, rules[field.name])]);
    const found = own.filter(([, fault]) => fault);
    /** @type {Partial<Record<string, string>>} of single fields; if each is valid, of fields together */
    const faults = found.length ? Object.fromEntries(found) : relations(rules, limits);
    for (const [name, { field, input, box }] of this.rows) {
      const { hint = "" } = field;
      const count = box.querySelector("output");
      box.hidden = !isShown(field, rules);
      setText(need(".faint", box), typeof hint === "function" ? hint(rules) : hint);
      if (count) setText(count, String(/** @type {number[][]} */ (rules[name] ?? []).length));
      setText(need(".error", box), faults[name] ?? "");
      setAttribute(input, "aria-invalid", faults[name] ? "true" : null);
    }
    return Object.keys(faults).length === 0;
  }

  /** Focus the first field with a fault. */
  focusFault() {
    const fault = [...this.rows.values()].find(({ input }) => input.hasAttribute("aria-invalid"));
    if (!fault) return;
    fault.box.closest("details")?.setAttribute("open", "");
    fault.input.focus();
  }
}

/** @param {RulesField} field @param {string} id @returns {Input} */
function inputOf({ name, kind, choices = {}, least: min, most: max, blank = "" }, id) {
  if (kind === "choice") return make("select", { id, name }, ...Object.entries(choices).map(([value, words]) => make("option", { value }, words)));
  if (kind === "places") return make("input", { id, name, type: "hidden", value: "[]" });
  const manner = kind === "share" ? { step: "any", inputmode: "decimal", min: 0, max: 1 } : { step: 1, inputmode: "numeric", min, max };
  return make("input", { id, name, type: "number", placeholder: blank, ...manner });
}

/** @param {RulesField} field @param {Rules[string]} value */
function faultOf({ label, kind, optional, least = kind === "share" ? 0 : -Infinity, most = kind === "share" ? 1 : Infinity }, value) {
  if (kind === "choice" || kind === "places" || (optional && value === null)) return "";
  if (typeof value !== "number" || Number.isNaN(value)) return kind === "whole" ? t("{label} must be a whole number", { label }) : t("{label} must be a number", { label });
  if (kind === "whole" && !Number.isInteger(value)) return t("{label} must be a whole number", { label });
  if (value < least) return t("{label} must be {least} or more, not {value}", { label, least, value });
  if (value > most) return t("{label} must be {most} or less, not {value}", { label, most, value });
  return "";
}
