/** The page of one game, live or finished: receives snapshots and shows them. */
import { keyOf, get, reasonOf } from "../base/api.js";
import { buttonOf, need, onDetail, onPress, pageData, setText } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { Question } from "../base/question.js";
import { t } from "../base/words.js";
import { Actions } from "../game/actions.js";
import { statusText } from "../game/game-status.js";
import { LivePage } from "../game/live-page.js";
import { switchBox } from "../game/switches.js";
import { DiaryPanel } from "../review/diary-panel.js";
import { ReviewPanel } from "../review/review-panel.js";
import { LessonCards } from "../setup/lesson.js";
import { loadView } from "./view-loader.js";

/** @import { GameView, Snapshot, Analysis, BoardElement } from "../base/types.js" */
/** @import { Link } from "../game/live-connection.js" */
/** @import { Replay } from "../game/replay.js" */

const ASK_AFTER_MS = 150;

class AnalysisPanel {
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

class GamePage extends LivePage {
  /** Why the board cannot be drawn, in words. */
  trouble = "";

  /** @param {string} id @param {GameView} view */
  constructor(id, view) {
    super(view, `/games/${id}/live`, keyOf("key", id));
    const { board, live, replay } = this;
    this.actions = new Actions(id, board, live, replay);
    this.lesson = new LessonCards(id, pageData().game, view.first.lesson);
    if (view.analysisText) this.analysis = new AnalysisPanel(id, view.analysisText, board, replay);
    this.#prepareShare(id);
    this.review = new ReviewPanel(id, view, board, replay, this.moves);
    this.diary = new DiaryPanel(id, board, replay, this.moves);
    onDetail(this.loader, "trouble", (words) => {
      this.trouble = words;
      if (this.connected) this.showBanner(words);
    });
  }

  /** @param {string} id */
  #prepareShare(id) {
    /** @type {Promise<import("../share/share-dialog.js").ShareDialog> | undefined} */
    let dialog;
    const open = () => {
      dialog ??= import("../share/share-dialog.js").then(({ ShareDialog }) => new ShareDialog(id, this.replay));
      dialog.then((made) => made.open());
    };
    for (const act of ["share", "take-home"]) onPress(act, open);
  }

  /** @override @param {Link} link */
  link(link) {
    this.showBanner(link.open ? this.trouble : t("{trouble}; your game is safe.", { trouble: this.lostText(link) }));
    if (link.open === this.connected) return;
    this.connected = link.open;
    document.body.dataset.link = link.open ? "open" : "lost";
    this.render();
  }

  /** @override */
  render() {
    const { snapshot, replay } = this;
    if (!snapshot) return;
    this.diary.show(snapshot); // before the list of moves, whose height depends on it
    this.renderGame(snapshot);
    this.lesson.show(snapshot);
    this.actions.show(snapshot);
    this.analysis?.show(snapshot);
    this.review.show(snapshot);
    this.showStatus(this.statusOf(snapshot));
    if (!this.connected) setText(need("[data-status]"), t("Waiting for the server"));
    buttonOf("latest").hidden = replay.isLatest || snapshot.outcome !== null;
    this.showViewers(snapshot, `${snapshot.can_move ? "● " : ""}${snapshot.seats.map((seat) => seat.name).join(" – ")}`);
  }

  /** @override @param {Snapshot} snapshot */
  announce(snapshot) {
    super.announce(snapshot, statusText(snapshot, this.view.total(snapshot.rules), this.view.verb?.how ?? t("place on the board")));
  }
}

const { game, id } = pageData();
new GamePage(id, await loadView(game));
