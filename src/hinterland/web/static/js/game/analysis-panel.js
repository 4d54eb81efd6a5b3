/** The value of best play: a switch, a line of words beside the board, and the best moves marked on it. */
import { get, reasonOf } from "../base/api.js";
import { need, setText } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { Question } from "../base/question.js";
import { t } from "../base/words.js";
import { switchBox } from "./switches.js";

/** @import { Analysis, BoardElement, Snapshot } from "../base/types.js" */
/** @import { Replay } from "./replay.js" */

const ASK_AFTER_MS = 150;

export class AnalysisPanel {
  /** @param {string} id @param {(analysis: Analysis) => string} words @param {BoardElement} board @param {Replay} replay */
  constructor(id, words, board, replay) {
    this.id = id;
    this.words = words;
    this.board = board;
    this.replay = replay;
    this.place = need("[data-analysis]");
    const box = switchBox("analysis", t("exact value"), false);
    this.input = /** @type {HTMLInputElement} */ (box.firstElementChild);
    this.question = new Question(box, ASK_AFTER_MS);
    this.input.addEventListener("change", () => replay.renew());
    need("[data-switches] label").after(box);
  }

  /** @param {Snapshot} snapshot */
  show({ moves, outcome }) {
    const { ply, isLatest } = this.replay;
    const isOpen = this.input.checked && !(isLatest && outcome);
    const position = isOpen ? JSON.stringify([ply, ...moves.slice(0, ply).map(({ move }) => move)]) : "";
    this.question.ask(position, () => get(`/games/${this.id}/analysis?ply=${ply}`), {
      asked: () => this.#tell(null, ""),
      answered: (analysis) => this.#tell(analysis, this.words(analysis)),
      failed: (error) => this.#tell(null, reasonOf(error, t("the analysis could not be loaded"))),
    });
  }

  /** @param {Analysis | null} analysis @param {string} words */
  #tell(analysis, words) {
    this.board.showAnalysis?.(analysis);
    this.place.hidden = !this.input.checked;
    setText(this.place, sentence(words));
  }
}
