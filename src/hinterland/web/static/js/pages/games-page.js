/** The page of games: polls the live games, and brings their cards up to date. */
import { need, setAttribute } from "../base/dom.js";
import { urlOf } from "../base/place.js";

const ASK_MS = 3000;
/** Milliseconds without a change after which the page polls less often. */
const QUIET_MS = 60_000;
const REST_MS = 15_000;

let version = "";
let changedAt = performance.now();
const place = document.querySelector("[data-live]");

async function ask() {
  if (document.visibilityState === "visible") {
    const answer = await fetch(urlOf(`/games/now${location.search}`), { headers: { "If-None-Match": version }, cache: "no-store" }).catch(() => null);
    if (answer?.status === 200) {
      version = answer.headers.get("ETag") ?? "";
      show(await answer.text());
    }
  }
  setTimeout(ask, performance.now() - changedAt > QUIET_MS ? REST_MS : ASK_MS);
}

/** Replace what differs from `html`; a card's old picture stays until the new one is loaded. @param {string} html */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("ul");
  if (!fresh) return;
  const list = need("[data-live-games] ul");
  const known = new Map([...list.children].map((card) => [card.getAttribute("data-card"), card]));
  const cards = [...fresh.children].map((card) => renewed(known.get(card.getAttribute("data-card")), card));
  if (cards.length !== list.children.length || cards.some((card, number) => card !== list.children[number])) {
    const focused = document.activeElement?.closest("[data-card]");
    list.replaceChildren(...cards);
    if (focused?.isConnected) focused.querySelector("a")?.focus();
    changedAt = performance.now();
  }
  need("[data-live]").hidden = cards.length === 0;
}

/** Bring the old card of a game up to date and return the old card; return the new card if there is no old one. @param {Element | undefined} here @param {Element} card */
function renewed(here, card) {
  if (!here) return card;
  if (here.innerHTML === card.innerHTML) return here;
  changedAt = performance.now();
  for (const part of ["ol", "p"]) {
    const [old, now] = [here.querySelector(part), card.querySelector(part)];
    if (old && now && old.innerHTML !== now.innerHTML) old.replaceWith(now);
  }
  turn(here.querySelector("img"), card.querySelector("img")?.getAttribute("src") ?? null);
  return here;
}

/** Show another picture once it is loaded. @param {HTMLImageElement | null} image @param {string | null} source */
async function turn(image, source) {
  if (!image || source === null || image.getAttribute("src") === source) return;
  const next = new Image();
  next.src = source;
  await next.decode().catch(() => null);
  setAttribute(image, "src", source);
}

if (place) setTimeout(ask, ASK_MS);
