/** Switches for what a board shows; each choice is kept for the next game. */
import { keep, readKept } from "../base/api.js";
import { make } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { BoardElement } from "../base/types.js" */

/** @type {Record<string, string>} what can be shown, in words */
const NAMES = {
  closings: t("loops you can close"),
  contest: t("frontier glow"),
  contours: t("contours"),
  dashes: t("colour-blind dashes"),
  edges: t("edges"),
  numbers: t("numbers"),
  patterns: t("colour-blind patterns"),
  values: t("values"),
};

/** @param {HTMLElement} place @param {string} game @param {BoardElement} board */
export function mountSwitches(place, game, board) {
  for (const [name, on] of Object.entries(board.options)) {
    const stored = readKept(`hinterland.${game}.${name}`);
    const box = switchBox(name, NAMES[name] ?? name, stored === null ? on : stored === "1");
    const input = /** @type {HTMLInputElement} */ (box.firstElementChild);
    board.option(name, input.checked);
    input.addEventListener("change", () => {
      keep(`hinterland.${game}.${name}`, input.checked ? "1" : "0");
      board.option(name, input.checked);
    });
    place.append(box);
  }
}

/** @param {string} name @param {string} label @param {boolean} checked */
export function switchBox(name, label, checked) {
  return make("label", { class: "switch" }, make("input", { type: "checkbox", role: "switch", name, checked }), label);
}
