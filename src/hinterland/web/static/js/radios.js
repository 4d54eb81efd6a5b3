/** A row of choices of which one holds. */
import { make } from "./dom.js";

/** @typedef {{ value: string, label: string, title?: string }} Choice */

/**
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
