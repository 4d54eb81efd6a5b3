/** The attempts at a puzzle, each with its share of the best. */
import { make, span } from "../base/dom.js";
import { attemptText } from "./puzzle-words.js";

/** @import { Judgement } from "./puzzle-words.js" */

/** @param {HTMLElement} list @param {string} where  the move in words @param {Judgement} judgement @param {string} unit */
export function addAttempt(list, where, judgement, unit) {
  const filled = make("span");
  filled.style.width = `${Math.max(0, 100 * (judgement.share ?? Number(judgement.right)))}%`;
  const track = make("span", { class: "share", "aria-hidden": "true" }, filled);
  list.append(make("li", { class: judgement.right ? "attempt right" : "attempt" }, span("where", where), track, span("told", attemptText(judgement, unit))));
}
