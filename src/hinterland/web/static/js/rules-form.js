/** The rules of a game as fields, each with what is wrong with it beside it; a field is there only where it matters. */
import { make, setText } from "./dom.js";
import { isShown } from "./fields.js";

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").RulesField} RulesField */
/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/** Numbers drawn by lot lie below this, so that people can say and type them. */
const LOTS = 1_000_000;

export class RulesForm {
  /** @param {HTMLElement} place @param {GameView} view @param {() => void} changed */
  constructor(place, view, changed) {
    this.view = view;
    this.changed = changed;
    /** @type {Map<string, Input>} */
    this.inputs = new Map();
    for (const field of view.fields) place.append(this.#field(field));
    for (const field of view.fields) if (field.drawn) this.#draw(field);
    place.addEventListener("input", changed);
  }

  /** @param {RulesField} field */
  #field(field) {
    if (field.kind === "places") return this.#places(field);
    const { name, label, kind, drawn } = field;
    const id = `rule-${name}`;
    const input = inputOf(field, id);
    input.setAttribute("aria-describedby", `${id}-fault`);
    this.inputs.set(name, input);
    const words = make("label", { for: id }, label, " ", make("span", { class: "faint" }));
    const lot = drawn ? [this.#lot(field)] : [];
    const row = make("div", { class: "field-row" }, input, ...lot);
    const fault = make("p", { class: "error", id: `${id}-fault` });
    return make("div", { class: kind === "choice" || drawn ? "field broad" : "field" }, words, row, fault);
  }

  /** Places are put on the trial board; here they are counted and can be taken away. @param {RulesField} field */
  #places({ name, label }) {
    const input = make("input", { type: "hidden", id: `rule-${name}`, name, value: "[]" });
    const again = make("button", { type: "button", class: "quiet" }, "clear");
    again.addEventListener("click", () => this.put({ [name]: [] }));
    this.inputs.set(name, input);
    const words = make("p", { class: "field-name" }, label, " ", make("span", { class: "faint" }));
    return make("div", { class: "field broad" }, words, make("div", { class: "field-row" }, input, make("output", { class: "number" }, "0"), again), make("p", { class: "error", role: "status" }));
  }

  /** Take over what was put on the trial board. @param {Rules} rules */
  put(rules) {
    for (const [name, value] of Object.entries(rules)) /** @type {Input} */ (this.inputs.get(name)).value = JSON.stringify(value);
    this.changed();
  }

  /** @param {RulesField} field */
  #lot(field) {
    const button = make("button", { type: "button", class: "quiet" }, field.drawn ?? "");
    button.addEventListener("click", () => {
      this.#draw(field);
      this.changed();
    });
    return button;
  }

  /** @param {RulesField} field */
  #draw({ name }) {
    /** @type {Input} */ (this.inputs.get(name)).value = String(Math.floor(Math.random() * LOTS));
  }

  /** What is drawn by lot stays as it is. @param {Rules} rules */
  fill(rules) {
    for (const { name, drawn, kind } of this.view.fields) {
      const input = /** @type {Input} */ (this.inputs.get(name));
      if (drawn) continue;
      input.value = kind === "places" ? JSON.stringify(rules[name] ?? []) : rules[name] === null ? "" : String(rules[name]);
    }
  }

  /** What the fields that matter say now; one left empty is null, one that is no number NaN. @param {number} players @returns {Rules} */
  read(players) {
    /** @type {Rules} */
    const rules = { ...this.view.defaults, players };
    for (const { name, kind, optional } of this.view.fields) {
      const input = /** @type {Input} */ (this.inputs.get(name));
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

  /** Whether rules are those of a preset, whatever the lot says. @param {Rules} preset @param {Rules} rules */
  isPreset(preset, rules) {
    const wanted = this.#relevant({ ...this.view.defaults, ...preset });
    for (const { name, drawn } of this.view.fields) if (drawn) delete wanted[name];
    return Object.keys(wanted).every((name) => wanted[name] === rules[name]);
  }

  /** Show which fields matter and what is wrong with them; true if nothing is. @param {Rules} rules */
  check(rules) {
    const faults = this.view.faults(rules);
    for (const field of this.view.fields) {
      const input = /** @type {Input} */ (this.inputs.get(field.name));
      const fault = faults[field.name] ?? "";
      const box = /** @type {HTMLElement} */ (input.closest(".field"));
      box.hidden = !isShown(field, rules);
      const hint = typeof field.hint === "function" ? field.hint(rules) : (field.hint ?? "");
      setText(/** @type {Element} */ (box.querySelector(".faint")), hint);
      const count = box.querySelector("output");
      if (count) setText(count, String(/** @type {number[][]} */ (rules[field.name] ?? []).length));
      setText(/** @type {Element} */ (box.querySelector(".error")), fault);
      if (fault) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    return Object.keys(faults).length === 0;
  }

  /** The first field at fault. */
  focusFault() {
    for (const input of this.inputs.values()) if (input.hasAttribute("aria-invalid")) return input.focus();
  }
}

/** @param {RulesField} field @param {string} id @returns {Input} */
function inputOf({ name, kind, choices = [], least, most, blank = "" }, id) {
  if (kind === "choice") return make("select", { id, name }, ...choices.map((one) => make("option", { value: one.value }, one.label)));
  const [low, high] = kind === "share" ? [0, 1] : [least, most];
  const bounds = { ...(low === undefined ? {} : { min: low }), ...(high === undefined ? {} : { max: high }) };
  const manner = kind === "share" ? { step: "any", inputmode: "decimal" } : { step: 1, inputmode: "numeric" };
  return make("input", { id, name, type: "number", placeholder: blank, ...manner, ...bounds });
}
