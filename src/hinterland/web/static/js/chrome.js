/** The quiet buttons at the top of a page: full screen and share. */
import { need, setText } from "./dom.js";

const SAID_MS = 2000;

/** In full screen the page becomes a wall: the board, names, bar and clocks, nothing else. `?wall` starts as one. */
export function prepareFullScreen() {
  const button = need("[data-act=full-screen]");
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
  const button = need("[data-act=share]");
  const label = button.textContent ?? "";
  let timer = 0;
  button.addEventListener("click", async () => {
    const done = await copy(location.href);
    setText(button, done ? "link copied" : "copy the address above");
    clearTimeout(timer);
    timer = window.setTimeout(() => setText(button, label), SAID_MS);
  });
}

/** @param {string} text @returns {Promise<boolean>} */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
