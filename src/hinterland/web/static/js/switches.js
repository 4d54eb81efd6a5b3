/** What a board shows can be switched on and off; the choice is kept for the next game. */
import { keep, kept } from "./api.js";
import { make } from "./dom.js";

/** @typedef {import("./types.js").Switch} Switch */

/**
 * @param {HTMLElement} place @param {string} game @param {Switch[]} switches
 * @param {(name: string, on: boolean) => void} apply  called at once for each, then at every change
 */
export function mountSwitches(place, game, switches, apply) {
  for (const { name, label, on } of switches) {
    const stored = kept(`hinterland.${game}.${name}`);
    const box = switchBox(name, label, stored === null ? on : stored === "1");
    const input = /** @type {HTMLInputElement} */ (box.firstElementChild);
    apply(name, input.checked);
    input.addEventListener("change", () => {
      keep(`hinterland.${game}.${name}`, input.checked ? "1" : "0");
      apply(name, input.checked);
    });
    place.append(box);
  }
}

/** @param {string} name @param {string} label @param {boolean} checked */
export function switchBox(name, label, checked) {
  return make("label", { class: "switch" }, make("input", { type: "checkbox", role: "switch", name, checked }), label);
}
