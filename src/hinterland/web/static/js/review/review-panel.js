/**
 * The review of a finished game: what each move gained, what the best move would have gained, and which moves lost the
 * game.
 *
 * A button requests the review once; later clicks hide or show it. The review shows words beside the board, and the
 * loss of each move below the track of the replay and in the list of moves. The board shows the best move in place of
 * the current one.
 */
import { get, reasonOf } from "../base/api.js";
import { buttonOf, chip, make, need, onClick, setText, span, whileBusy } from "../base/dom.js";
import { formatNumber } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { aftermath, moveWords, verdicts } from "./review-words.js";

/** @import { BoardElement, GameView, MoveReview, Review, Snapshot } from "../base/types.js" */
/** @import { MoveList } from "../game/move-list.js" */
/** @import { Replay } from "../game/replay.js" */
/** @import { Verdict } from "./review-words.js" */

export class ReviewPanel {
  /** @type {Review | null} what the server said */
  review = null;
  on = false;
  /** Number of the move for which the board shows the best move; 0 for none. */
  ghost = 0;
  /** The ply that the words are about. */
  told = -1;

  /** @param {string} id @param {GameView} view @param {BoardElement} board @param {Replay} replay @param {MoveList} moves */
  constructor(id, view, board, replay, moves) {
    this.id = id;
    this.view = view;
    this.board = board;
    this.replay = replay;
    this.moves = moves;
    this.button = buttonOf("analyse");
    this.place = need("[data-review]");
    this.summary = need(".review-summary", this.place);
    this.move = need(".review-move", this.place);
    this.aftermath = need(".review-aftermath", this.place);
    this.track = need("[data-losses]");
    this.button.addEventListener("click", () => this.#toggle());
    for (const place of [this.place, this.track]) onClick(place, "ply", (ply) => replay.turnTo(Number(ply)));
  }

  /** @param {Snapshot} snapshot */
  show({ outcome, moves }) {
    this.button.hidden = outcome === null || moves.length === 0;
    const { review, replay } = this;
    if (!this.on || !review) return;
    this.#showBest(review);
    if (this.told === replay.ply) return;
    this.told = replay.ply;
    const row = review.moves[replay.ply - 1];
    const study = row?.loss ? [" ", make("a", { href: urlOf(`/study/${this.id}?ply=${row.number - 1}`) }, t("What if?"))] : [];
    this.move.replaceChildren(...(row ? [chip(`seat-${row.seat}`), moveWords(row, review, this.view), ...study] : []));
    setText(this.aftermath, row ? aftermath(row, review) : "");
  }

  async #toggle() {
    const { button, place } = this;
    this.on = !this.on;
    button.setAttribute("aria-pressed", String(this.on));
    if (this.on && !this.review) {
      place.hidden = false;
      this.summary.replaceChildren(t("Analysing every move …"));
      await whileBusy(button, async () => {
        this.review = await get(`/games/${this.id}/review`).catch((error) => this.board.refuse(reasonOf(error, t("the analysis could not be loaded")))) ?? null;
      });
      this.on = this.review !== null;
      button.setAttribute("aria-pressed", String(this.on));
    }
    this.#apply(this.on ? this.review : null);
  }

  /** Show a review; null hides it. @param {Review | null} review */
  #apply(review) {
    this.place.hidden = this.track.hidden = !review;
    document.body.dataset.review = review ? "on" : "off";
    this.moves.annotate(review);
    this.told = -1;
    if (review) {
      this.track.replaceChildren(...lossTrack(review.moves));
      this.summary.replaceChildren(...verdicts(review).map(verdictLine));
    } else if (this.ghost) {
      this.ghost = 0;
      this.board.suggest(null);
    }
    this.replay.renew();
  }

  /** Show on the board which move would have been best in place of the current one. @param {Review} review */
  #showBest(review) {
    const row = review.moves[this.replay.ply - 1];
    const number = row?.loss ? row.number : 0;
    if (number === this.ghost) return;
    this.ghost = number;
    this.board.suggest(row && number ? { best: row.best ?? [], gain: row.best_gain ?? 0, seat: row.seat, quiet: true } : null);
  }
}

/** Bars below the track of the replay, one for the loss of each move. @param {MoveReview[]} moves */
function lossTrack(moves) {
  const most = Math.max(1, ...moves.map(({ loss }) => loss ?? 0));
  return moves.map(({ number, seat, loss, losing }, k) => {
    const words = loss === null ? t("not known") : loss ? t("lost {loss}", { loss: formatNumber(loss) }) : t("lost nothing");
    const bar = make("span", { class: `loss seat-${seat}`, "data-ply": number, "data-losing": losing, title: t("move {number}: {words}", { number, words }) });
    bar.style.setProperty("--place", String((k + 1) / moves.length));
    bar.style.setProperty("--of", String(moves.length));
    bar.style.setProperty("--share", String((loss ?? 0) / most));
    return bar;
  });
}

/** A sentence with a button for each losing move. @param {Verdict} verdict */
function verdictLine({ seat, words, moves, more }) {
  const links = moves.map((number) => make("button", { type: "button", class: "quiet number", "data-ply": number, "aria-label": t("Losing move {number}", { number }) }, String(number)));
  return span("verdict", ...(seat === null ? [] : [chip(`seat-${seat}`)]), words, ...links, more);
}
