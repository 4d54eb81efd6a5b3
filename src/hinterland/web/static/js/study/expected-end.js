/** The scores with which a position is expected to end: marks below the bar of areas, and a line of words that is announced, too. */
import { make, need, setText } from "../base/dom.js";
import { formatList, sentence, shares } from "../base/format.js";
import { formatNumber, t } from "../base/words.js";
import { Question } from "../base/question.js";
import { reasonOf } from "../base/api.js";

/** @typedef {{ scores: number[], is_exact: boolean }} Expectation */
/** @typedef {{ names: string[], total: number, unit: string }} Words */

const ASK_AFTER_MS = 300;

export class ExpectedEnd {
  words = need("[data-expectation]");
  marks = need("[data-expected]");
  question = new Question(this.words, ASK_AFTER_MS);
  asking = new AbortController();

  /**
   * Ask about a position, and drop the earlier question.
   * @param {string} about  empty: about none @param {(signal: AbortSignal) => Promise<Expectation | null>} ask @param {Words} words
   */
  show(about, ask, words) {
    if (about === this.question.about) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.question.ask(about, () => ask(signal), {
      asked: () => this.#tell("", []),
      answered: (found) => (found ? this.#tell(expectationText(found, words), edges(found.scores, words.total)) : this.#tell(t("No prediction for this position"), [])),
      failed: (error) => signal.aborted || this.#tell(sentence(reasonOf(error, t("there is no prediction for this position"))), []),
    });
  }

  /** @param {string} words @param {number[]} places */
  #tell(words, places) {
    setText(this.words, words);
    this.marks.replaceChildren(
      ...places.map((share) => {
        const mark = make("span", { class: "expected-mark" });
        mark.style.setProperty("--at", String(share));
        return mark;
      }),
    );
  }
}

/** Where the areas meet on the bar, as shares of its length. @param {number[]} scores @param {number} total */
function edges(scores, total) {
  let below = 0;
  return scores.slice(0, -1).map((score) => Math.min(1, (below += score) / Math.max(total, 1)));
}

/** The expected end in words: `Expected: Ann ends 24,532 cells ahead (51.2 % to 48.8 %)`. @param {Expectation} found @param {Words} words */
export function expectationText({ scores, is_exact: isExact }, { names, total, unit }) {
  const parts = shares(scores.map(Math.round), total);
  const said = scores.length === 2 ? leadText(scores, parts, names, unit) : formatList(names.map((name, seat) => `${name} ${parts[seat]}`));
  return isExact ? t("With best play: {ending}", { ending: said }) : t("Expected: {ending}", { ending: said });
}

/** @param {number[]} scores @param {string[]} parts @param {string[]} names @param {string} unit */
function leadText([first, second], parts, names, unit) {
  const lead = Math.round(first - second);
  if (!lead) return t("it ends level");
  const [ahead, behind] = lead > 0 ? [0, 1] : [1, 0];
  const words = { name: names[ahead], lead: formatNumber(Math.abs(lead)), unit };
  const isCounted = parts[0] === formatNumber(Math.round(first));
  return isCounted ? t("{name} ends {lead} {unit} ahead", words) : t("{name} ends {lead} {unit} ahead ({share} to {rest})", { ...words, share: parts[ahead], rest: parts[behind] });
}
