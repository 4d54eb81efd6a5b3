/** The page of a contest: polls for changes, and replaces the parts that changed. */
import { need, pageData, prefersStill, setText } from "../base/dom.js";
import { t } from "../base/words.js";
import { prepareFullScreen } from "../game/toolbar.js";

const ASK_MS = 2000;
const REST_MS = 20_000;
/** Milliseconds without a change after which a contest is polled less often. */
const QUIET_MS = 60_000;
const MOVE_MS = 400;

let { version } = pageData();
let changedAt = performance.now();

async function ask() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(`${location.pathname.replace(/\/$/, "")}/now`, { headers: { "If-None-Match": version }, cache: "no-store" });
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      tell("");
      if (answer.status === 200) {
        version = answer.headers.get("ETag") ?? "";
        changedAt = performance.now();
        show(await answer.text());
      }
    } catch {
      tell(t("The server does not answer; this is the last known state."));
    }
  }
  setTimeout(ask, performance.now() - changedAt > QUIET_MS ? REST_MS : ASK_MS);
}

/** @param {string} words */
function tell(words) {
  const banner = need("[data-banner]");
  banner.hidden = words === "";
  setText(banner, words);
}

/** Replace the parts of the page that differ from `html`; scroll positions and focus stay. @param {string} html */
function show(html) {
  const main = need("main");
  const fresh = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html").body.firstElementChild;
  if (!fresh) return;
  const before = places(main);
  for (const part of [...main.children]) if (!fresh.querySelector(`:scope > #${part.id}`)) part.remove();
  for (const [place, part] of [...fresh.children].entries()) {
    const here = main.querySelector(`:scope > #${part.id}`);
    if (!here) main.insertBefore(part, main.children[place] ?? null);
    else if (here.outerHTML !== part.outerHTML) swap(here, part);
  }
  if (!prefersStill.matches) glide(main, before);
}

/** @param {Element} here @param {Element} part */
function swap(here, part) {
  const scrolled = here.querySelector(".table-place")?.scrollLeft ?? 0;
  const closed = [...here.querySelectorAll("details")].map((one) => [one.id, one.open]);
  const focused = here.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  here.replaceWith(part);
  part.querySelector(".table-place")?.scrollTo({ left: scrolled });
  for (const [id, open] of closed) part.querySelector(`#${id}`)?.toggleAttribute("open", Boolean(open));
  if (focused) /** @type {HTMLElement | null} */ (part.querySelector(`[href="${CSS.escape(focused)}"]`))?.focus();
}

/** Vertical position on the screen of each player's row in the standings. @param {Element} main */
const places = (main) => new Map([...main.querySelectorAll("[data-player]")].map((row) => [row.getAttribute("data-player"), row.getBoundingClientRect().top]));

/** Let the rows of the standings glide from their old places to their new ones. @param {Element} main @param {Map<string | null, number>} before */
function glide(main, before) {
  for (const row of main.querySelectorAll("[data-player]")) {
    const way = (before.get(row.getAttribute("data-player")) ?? 0) - row.getBoundingClientRect().top;
    if (before.has(row.getAttribute("data-player")) && way) {
      row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
    }
  }
}

prepareFullScreen();
setTimeout(ask, ASK_MS);
