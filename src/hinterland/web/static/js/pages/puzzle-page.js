/** The page of one puzzle: the server judges each answer at once. */
import { Refused, judgeAnswer, puzzleAnswer } from "../base/api.js";
import { buttonOf, need, onDetail, onPress, pageData, setText, make, span } from "../base/dom.js";
import { sentence, formatNumber, formatGain, percent } from "../base/format.js";
import { t } from "../base/words.js";
import { showBar } from "../board/charts.js";
import { noteDone } from "../puzzle/progress.js";
import { loadView } from "./view-loader.js";

/** @import { Aim, GameView, Move, Rules, Scene } from "../base/types.js" */

/** @typedef {{ right: boolean, worth: number, loss: number, share: number | null }} Judgement  as the server gives it */

/** The verdict on an answer. If `share` is null, the puzzle asks for the only line that loses nothing; otherwise it asks for gain, and the verdict names it: `+5,012 cells`. @param {Judgement} judgement @param {string} unit */
function verdictText({ right, worth, loss, share }, unit) {
  if (share === null) return right ? t("Right: every other line loses dots.") : t("Not that one: it gives {loss} away.", { loss: `${formatNumber(loss)} ${unit}` });
  const told = { gain: `${formatGain(worth)} ${unit}`, share: percent(share) };
  if (!right) return t("Not enough: {gain}, {share} of what the best move wins.", told);
  return loss ? t("Right: {gain}, {share} of what the best move wins.", told) : t("Right: {gain}, the best possible.", told);
}

/** @param {number} worth @param {string} unit @param {boolean} isGain */
const answerText = (worth, unit, isGain) => (isGain ? t("The answer: {gain}.", { gain: `${formatGain(worth)} ${unit}` }) : t("The answer: every other line loses dots."));

/** What the list says beside an answer: its share of the best gain, or its loss. @param {Judgement} judgement @param {string} unit */
const attemptText = ({ loss, share }, unit) => (share === null ? (loss ? `−${formatNumber(loss)} ${unit}` : t("gives nothing away")) : percent(share));

/** @param {HTMLElement} list @param {string} where  the move in words @param {Judgement} judgement @param {string} unit */
function addAttempt(list, where, judgement, unit) {
  const filled = make("span");
  filled.style.width = `${Math.max(0, 100 * (judgement.share ?? Number(judgement.right)))}%`;
  const track = make("span", { class: "share", "aria-hidden": "true" }, filled);
  list.append(make("li", { class: judgement.right ? "attempt right" : "attempt" }, span("where", where), track, span("told", attemptText(judgement, unit))));
}

/** @typedef {"open" | "wrong" | "right" | "shown"} State */
/** @typedef {{ game: string, number: number, unit: string, is_gain: boolean, rules: Rules, drawing_data: unknown, moves: Scene["moves"], seat: number, names: string[] }} Puzzle */

const touches = matchMedia("(pointer: coarse)");

class PuzzlePage {
  /** @param {Puzzle} puzzle @param {GameView} view */
  constructor(puzzle, view) {
    this.puzzle = puzzle;
    this.view = view;
    this.board = view.createBoard();
    need("[data-board]").replaceChildren(this.board);
    setText(need("[data-describe]"), view.describe(puzzle.rules));
    const total = view.total(puzzle.rules);
    onDetail(this.board, "painted", ({ scores }) => showBar(need("[data-bar]"), scores, total, puzzle.names, view.unit));
    onDetail(this.board, "aim", (aim) => this.#offer(aim));
    onDetail(this.board, "choose", ({ move }) => this.#answer(move));
    onPress("place", () => this.board.choose());
    onPress("again", () => this.#open());
    onPress("answer", () => this.#giveAway());
    this.#open();
  }

  #open() {
    const how = this.view.verb?.how ?? (touches.matches ? t("tap the board") : t("click the board"));
    this.#turn("open", sentence(t("{how} to answer.", { how })), null);
  }

  /** @param {Aim | null} aim */
  #offer(aim) {
    const button = buttonOf("place");
    const verb = this.view.verb?.now ?? t("Place");
    button.hidden = !aim;
    button.disabled = !aim?.legal;
    setText(button, aim?.legal ? `${verb} ${aim.words}` : verb);
  }

  /** @param {Move} move */
  async #answer(move) {
    const { game, number, unit } = this.puzzle;
    await this.#asking(async () => {
      const judgement = /** @type {Judgement & { best?: Move, most?: number }} */ (await judgeAnswer(game, number, move));
      addAttempt(need("[data-attempts]"), this.view.moveText(move), judgement, unit);
      if (judgement.right) noteDone(game, number, "solved");
      this.#turn(judgement.right ? "right" : "wrong", verdictText(judgement, unit), move);
      if (judgement.best && String(judgement.best) !== String(move)) this.#ring(judgement.best, judgement.most ?? 0);
    });
  }

  async #giveAway() {
    const { game, number, unit, is_gain: isGain } = this.puzzle;
    await this.#asking(async () => {
      const { best, worth } = await puzzleAnswer(game, number);
      noteDone(game, number, "shown");
      this.#turn("shown", answerText(worth, unit, isGain), best);
    });
  }

  /** @param {() => Promise<void>} act */
  async #asking(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.board.refuse(sentence(error.message));
    }
  }

  /** Mark the best move. @param {Move} best @param {number} gain */
  #ring(best, gain) {
    this.board.suggest({ best, gain, seat: this.puzzle.seat, quiet: true });
  }

  /** Show the board after `move`, or, if that is null, ready for an answer. @param {State} state @param {string} words @param {Move | null} move */
  #turn(state, words, move) {
    const { rules, drawing_data: drawingData, moves, seat, names } = this.puzzle;
    const isOpen = state === "open";
    const isDone = state === "right" || state === "shown";
    const shown = move ? [...moves, { seat, move }] : moves;
    this.board.show({ rules, drawingData, names, moves: shown, toMove: isOpen ? seat : null, placing: isOpen, interactive: !isDone, blind: true });
    document.body.dataset.puzzle = state;
    setText(need("[data-status]"), words);
    if (!isOpen) buttonOf("place").hidden = true;
    buttonOf("again").hidden = state !== "wrong";
    buttonOf("next").hidden = !isDone;
    buttonOf("answer").hidden = isDone;
    if (!isOpen) buttonOf(isDone ? "next" : "again").focus({ preventScroll: true });
  }
}

const puzzle = pageData();
new PuzzlePage(puzzle, await loadView(puzzle.game));
