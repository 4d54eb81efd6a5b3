/** The rules of a game as fields, each with what is wrong with it beside it. */
import { make, setText } from "./dom.js";

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").RulesField} RulesField */
/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

export class RulesForm {
  /** @param {HTMLElement} place @param {GameView} view @param {() => void} changed */
  constructor(place, view, changed) {
    this.view = view;
    /** @type {Map<string, Input>} */
    this.inputs = new Map();
    for (const field of view.fields) place.append(this.#field(field));
    place.addEventListener("input", changed);
  }

  /** @param {RulesField} field */
  #field({ name, label, hint, kind, choices = [], least, most, blank = "" }) {
    const id = `rule-${name}`;
    const input =
      kind === "choice"
        ? make("select", { id, name }, ...choices.map((one) => make("option", { value: one.value }, one.label)))
        : make("input", { id, name, type: "number", step: 1, inputmode: "numeric", placeholder: blank, ...(least === undefined ? {} : { min: least }), ...(most === undefined ? {} : { max: most }) });
    input.setAttribute("aria-describedby", `${id}-fault`);
    this.inputs.set(name, input);
    const words = make("label", { for: id }, label, ...(hint ? [" ", make("span", { class: "faint" }, hint)] : []));
    return make("div", { class: kind === "choice" ? "field broad" : "field" }, words, input, make("p", { class: "error", id: `${id}-fault` }));
  }

  /** @param {Rules} rules */
  fill(rules) {
    for (const [name, input] of this.inputs) input.value = rules[name] === null ? "" : String(rules[name]);
  }

  /** What the fields say now; a field left empty is null, one that is no number NaN. @param {number} players @returns {Rules} */
  read(players) {
    /** @type {Rules} */
    const rules = { ...this.view.defaults, players };
    for (const { name, kind, optional } of this.view.fields) {
      const input = /** @type {Input} */ (this.inputs.get(name));
      const text = input.value.trim();
      const isBlank = text === "" && !(input instanceof HTMLInputElement && input.validity.badInput);
      if (kind === "choice") rules[name] = text;
      else rules[name] = isBlank && optional ? null : text === "" ? NaN : Number(text);
    }
    return rules;
  }

  /** Show what is wrong; true if nothing is. @param {Rules} rules */
  check(rules) {
    const faults = this.view.faults(rules);
    for (const [name, input] of this.inputs) {
      const fault = faults[name] ?? "";
      setText(/** @type {Element} */ (document.getElementById(`rule-${name}-fault`)), fault);
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
