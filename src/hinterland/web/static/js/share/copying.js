/** Copy buttons that confirm. */
import { buttonOf, setText } from "../base/dom.js";
import { t } from "../base/words.js";

const SAID_MS = 2000;

/** @param {string} act @param {() => string} what @param {string} said */
export function prepareCopy(act, what, said) {
  const button = buttonOf(act);
  const label = button.textContent ?? "";
  let timer = 0;
  button.addEventListener("click", async () => {
    // If the page may not use the clipboard, the button says so.
    const done = await navigator.clipboard?.writeText(what()).then(() => true, () => false);
    setText(button, done ? said : t("copying is not allowed here"));
    clearTimeout(timer);
    timer = window.setTimeout(() => setText(button, label), SAID_MS);
  });
}
