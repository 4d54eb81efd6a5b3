/** The buttons of a page for full screen, and for the drawer on small screens. */
import { buttonOf, need } from "../base/dom.js";

/** In full screen a page shows only board, names, bar and clocks, to be read on a wall. With `?wall` in its address it starts like this. */
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
