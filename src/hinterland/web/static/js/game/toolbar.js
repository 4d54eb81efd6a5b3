/** The buttons of a page for full screen, and for the drawer on small screens. */
import { buttonOf, need } from "../base/dom.js";

/** In full screen a page shows only board, names, bar and clocks, to be read on a wall. A page with `?wall` in its address always looks like this. */
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

/** Let a button open and close the drawer into which, on a small screen, the style sheet puts all but board and clocks. */
export function prepareDrawer() {
  const handle = need("[data-drawer]");
  handle.addEventListener("click", () => {
    handle.setAttribute("aria-expanded", String(handle.getAttribute("aria-expanded") !== "true"));
  });
}
