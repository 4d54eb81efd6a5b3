/** The rules behind `?`, with a small board to try them on. */
import { need, onPress } from "../base/dom.js";
import { mountExample } from "./local-game.js";

/** @import { GameView } from "../base/types.js" */

/** @param {GameView} view */
export function prepareRules(view) {
  const dialog = /** @type {HTMLDialogElement} */ (need("#rules"));
  const place = need("[data-example]", dialog);
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    if (!place.firstElementChild) mountExample(place, view);
  };
  onPress("rules", open);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || (event.target instanceof HTMLElement && event.target.matches("input:not([type=checkbox]):not([type=range]), textarea"))) return;
    event.preventDefault();
    open();
  });
}
