/** The dialog of the rules, which `?` opens, with a small board to try the rules on. */
import { need, onPress } from "../base/dom.js";

/** @import { GameView } from "../base/types.js" */

/** @param {GameView | Promise<GameView>} view @param {(isOpen: boolean) => void} [turned]  told when they are opened and closed */
export function prepareRules(view, turned = () => {}) {
  const dialog = /** @type {HTMLDialogElement} */ (need("#rules"));
  const place = need("[data-example]", dialog);
  /** @type {Promise<void> | undefined} */
  let mounted;
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    turned(true);
    mounted ??= import("./local-game.js").then(async ({ mountExample }) => mountExample(place, await view));
  };
  onPress("rules", open);
  dialog.addEventListener("close", () => turned(false));
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || (event.target instanceof HTMLElement && event.target.matches("input:not([type=checkbox]):not([type=range]), textarea"))) return;
    event.preventDefault();
    open();
  });
}
