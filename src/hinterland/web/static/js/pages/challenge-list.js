/** The list of open challenges; it is refreshed while the page is visible. */
import { get } from "../base/api.js";
import { make, need, span } from "../base/dom.js";
import { formatList } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { clockWords } from "../match/match-status.js";
import { loadView } from "./view-loader.js";

/** @import { ClockRules, Rules } from "../base/types.js" */
/** @typedef {{ url: string, game: string, title: string, names: string[], free: number, rules: Rules, clock: ClockRules | null }} ChallengeCard */

const ASK_AGAIN_MS = 4000;

const place = need("[data-challenges]");
const list = need("[data-challenge-list]");

/** @param {ChallengeCard} card */
async function row({ url, game, title, names, rules, clock }) {
  const view = await loadView(game);
  const terms = [title, view.describe(rules), clockWords({ clock })].join(" · ");
  const words = make("p", {}, span("name", formatList(names)), span("faint", terms));
  return make("li", {}, words, make("a", { class: "primary", href: urlOf(url), "aria-label": t("Play {names}", { names: formatList(names) }) }, t("Play")));
}

async function show() {
  if (document.hidden) return;
  const { challenges } = await get("/api/challenges").catch(() => ({ challenges: [] }));
  const key = JSON.stringify(challenges);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...(await Promise.all(challenges.map(row))));
  place.hidden = !challenges.length;
}

show();
setInterval(show, ASK_AGAIN_MS);
document.addEventListener("visibilitychange", show);
