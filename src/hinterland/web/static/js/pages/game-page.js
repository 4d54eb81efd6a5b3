/** The page of one game, live or finished: takes snapshots and draws what they say. */
import { keyOf } from "../base/api.js";
import { buttonOf, need, onDetail, pageData, setText } from "../base/dom.js";
import { Actions } from "../game/actions.js";
import { AnalysisPanel } from "../game/analysis-panel.js";
import { statusText } from "../game/game-status.js";
import { LivePage } from "../game/live-page.js";
import { ReviewPanel } from "../review/review-panel.js";
import { loadView } from "./view-loader.js";

/** @import { GameView, Snapshot } from "../base/types.js" */
/** @import { Link } from "../game/live-connection.js" */

class GamePage extends LivePage {
  /** What keeps the board from being drawn, in words. */
  trouble = "";

  /** @param {string} id @param {GameView} view */
  constructor(id, view) {
    super(view, `/games/${id}/live`, keyOf("key", id));
    const { board, live, replay } = this;
    this.actions = new Actions(id, board, live, replay);
    if (view.analysisText) this.analysis = new AnalysisPanel(id, view.analysisText, board, replay);
    this.review = new ReviewPanel(id, view, board, replay, this.moves);
    onDetail(this.loader, "trouble", (words) => {
      this.trouble = words;
      if (this.connected) this.showBanner(words);
    });
  }

  /** @override @param {Link} link */
  link(link) {
    this.showBanner(link.open ? this.trouble : `${this.lostText(link)}; the game is kept.`);
    if (link.open === this.connected) return;
    this.connected = link.open;
    document.body.dataset.link = link.open ? "open" : "lost";
    this.render();
  }

  /** @override */
  render() {
    const { snapshot, replay } = this;
    if (!snapshot) return;
    this.renderGame(snapshot);
    this.actions.show(snapshot);
    this.analysis?.show(snapshot);
    this.review.show(snapshot);
    this.showStatus(this.statusOf(snapshot));
    if (!this.connected) setText(need("[data-status]"), "Waiting for the server");
    buttonOf("latest").hidden = replay.isLatest || snapshot.outcome !== null;
    this.showViewers(snapshot, `${snapshot.can_move ? "● " : ""}${snapshot.seats.map((seat) => seat.name).join(" – ")}`);
  }

  /** @override @param {Snapshot} snapshot */
  announce(snapshot) {
    super.announce(snapshot, statusText(snapshot, this.view.total(snapshot.rules), this.view.verb?.how ?? "place on the board"));
  }
}

const { game, id } = pageData();
new GamePage(id, await loadView(game));
