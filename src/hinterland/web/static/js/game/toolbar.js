/** The quiet buttons at the top of a page: full screen and share. */
import { buttonOf, need, setText } from "../base/dom.js";

const SAID_MS = 2000;

/** In full screen the page becomes a wall: the board, names, bar and clocks, nothing else. `?wall` starts as one. */
export function prepareFullScreen() {
  const button = buttonOf("full-screen");
  const always = new URLSearchParams(location.search).has("wall");
  const settle = () => document.body.classList.toggle("wall", always || document.fullscreenElement !== null);
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => document.body.classList.toggle("wall"));
  });
  document.addEventListener("fullscreenchange", settle);
  settle();
}

/** On a small screen the style sheet puts all but the board and the clocks in a drawer. */
export function prepareDrawer() {
  const handle = need("[data-drawer]");
  handle.addEventListener("click", () => {
    handle.setAttribute("aria-expanded", String(handle.getAttribute("aria-expanded") !== "true"));
  });
}

export function prepareShare() {
  const button = buttonOf("share");
  const label = button.textContent ?? "";
  let timer = 0;
  button.addEventListener("click", async () => {
    // Where a page may not write there, or there is none, people can.
    const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    setText(button, done ? "link copied" : "copy the address above");
    clearTimeout(timer);
    timer = window.setTimeout(() => setText(button, label), SAID_MS);
  });
}
