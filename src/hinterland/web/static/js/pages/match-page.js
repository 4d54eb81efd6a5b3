/** The page of a match: the lobby, game after game, and the result. Seated people play here. */
import { closeMatch, currentMatch, keyOf, reasonOf, tokensOf } from "../base/api.js";
import { askFirst, buttonOf, need, onDetail, pageData, setText, setAttribute, span } from "../base/dom.js";
import { sentence, formatList } from "../base/format.js";
import { t } from "../base/words.js";
import { LivePage } from "../game/live-page.js";
import { Agreement } from "../match/agreement.js";
import { showLobby } from "../match/lobby.js";
import { headline, matchStatus, scoreLine } from "../match/match-status.js";
import { Pacer } from "../match/pacing.js";
import { showGames, showNotice, showTallies } from "../match/scoreboard.js";
import { SeatTaking } from "../match/seat-taking.js";
import { WaitingRoom } from "../match/waiting-room.js";
import { prepareCopy } from "../share/copying.js";
import { loadView } from "./view-loader.js";

/** @import { GameView, MatchView, Snapshot } from "../base/types.js" */
/** @import { Link } from "../game/live-connection.js" */

const SUCCESSOR_MS = 2_000;

class MatchPage extends LivePage {
  key = "";
  pacer = new Pacer((snapshot) => this.#show(snapshot));

  /** @param {string} id @param {GameView} view */
  constructor(id, view) {
    super(view, `/tables/${id}/live`, keyOf("seat", id));
    this.id = id;
    this.tokens = tokensOf(id);
    if (document.body.classList.contains("friends")) {
      this.waitingRoom = new WaitingRoom(id, pageData().title);
      this.agreement = new Agreement(id, this.board, this.live, this.replay);
    }
    this.seatTaking = new SeatTaking(id, (key) => this.live.become(key), () => this.render());
    onDetail(this.loader, "trouble", (words) => this.showBanner(words));
    prepareCopy("share", () => location.href, t("link copied"));
    /** @type {HTMLButtonElement | null} in an arena: the person who opened the match may close it */
    const close = document.querySelector("[data-act=close]");
    const refused = (/** @type {unknown} */ error) => close && setText(close, sentence(reasonOf(error, t("it could not be closed"))));
    close?.addEventListener("click", () => askFirst("#close", () => closeMatch(id).catch(refused)));
    this.close = close;
    if (pageData().is_alone) setInterval(() => this.connected || this.#openSuccessor(), SUCCESSOR_MS);
  }

  /** If another referee has started at the same address, open its page. */
  async #openSuccessor() {
    const table = await currentMatch().catch(() => null);
    if (table && table.id !== this.id) location.reload();
  }

  /** @override @param {Snapshot} snapshot */
  take(snapshot) {
    this.pacer.take(snapshot, snapshot.seats.some((seat) => seat.mine));
  }

  /** @param {Snapshot} snapshot */
  #show(snapshot) {
    const key = snapshot.match?.key ?? "";
    if (key !== this.key) {
      this.snapshot = null;
      this.drawn = "";
      if (this.key) this.replay.take("last");
      this.key = key;
    }
    super.take(snapshot);
  }

  /** If the server stops after the end of the match, the result stays on the page. @override @param {Link} link */
  link(link) {
    const isDone = hasEnded(this.pacer.latest?.match);
    const wasConnected = this.connected;
    this.connected = link.open;
    if (isDone && !link.open) this.live.close();
    if (!link.open || document.body.dataset.link === "lost") this.showBanner(link.open || isDone ? "" : `${this.lostText(link)}.`);
    document.body.dataset.link = link.open ? "open" : isDone ? "done" : "lost";
    if (link.open !== wasConnected) this.render();
  }

  /** @override */
  render() {
    const { snapshot, view } = this;
    if (!snapshot?.match) return;
    const { match } = snapshot;
    const isPlayed = match.key !== "";
    need("[data-connecting]").hidden = true;
    need("[data-lobby]").hidden = isPlayed;
    need("[data-board-area]").hidden = need("[data-panel]").hidden = !isPlayed;
    showNotice(need(isPlayed ? "[data-notice]" : "[data-lobby-notice]"), match);
    this.seatTaking.show(snapshot, match);
    if (isPlayed) this.#renderMatch(snapshot, match);
    else if (this.waitingRoom) this.waitingRoom.show(snapshot, match, view.describe(snapshot.rules));
    else showLobby(snapshot, match, view.describe(snapshot.rules), this.tokens);
    this.agreement?.show(snapshot, match);
    setText(need("[data-describe]"), view.describe(snapshot.rules));
    this.showViewers(snapshot, isPlayed ? `${snapshot.can_move ? "● " : ""}${snapshot.seats.map((seat) => seat.name).join(" – ")}` : t("Waiting for players"));
    document.body.dataset.match = match.state;
    const isKept = match.terms !== null && (isPlayed || match.games.length > 0); // players of a challenge resign instead of closing it
    if (this.close) this.close.hidden = keyOf("table", this.id) === null || hasEnded(match) || isKept;
  }

  /** @param {Snapshot} snapshot @param {MatchView} match */
  #renderMatch(snapshot, match) {
    const { replay, view } = this;
    const list = need("[data-seats]");
    if (list.children.length !== match.players.length) list.replaceChildren();
    this.renderGame(snapshot);
    showTallies(list, match, view.unit);
    showGames(need("[data-games]"), match);
    setText(need("[data-headline]"), match.state === "over" && match.of ? t("Final result") : headline(match));
    const starter = match.starter === null || snapshot.outcome ? "" : t("{name} moves first", { name: snapshot.seats[match.starter].name });
    setText(need("[data-headline-side]"), scoreLine(match) || starter);
    const plays = snapshot.seats.some((seat) => seat.mine);
    const isOwn = snapshot.can_move || (plays && match.terms !== null && snapshot.outcome !== null);
    this.showStatus(isOwn ? this.statusOf(snapshot) : matchStatus(snapshot, match, view.total(snapshot.rules), view.unit));
    showPresence(list, snapshot, match);
    showWatching(need("[data-watching]"), snapshot, this.seatTaking.refusal);
    buttonOf("resign").hidden = snapshot.outcome !== null || !plays;
    buttonOf("latest").hidden = replay.isLatest;
    document.body.dataset.number = String(match.number);
  }
}

/** @param {MatchView | null} [match] */
const hasEnded = (match) => match?.state === "over" || match?.state === "closed";

const { game, id } = pageData();
new MatchPage(id, await loadView(game));

/** Show in each row whether the player looks at the page. @param {HTMLElement} list @param {Snapshot} snapshot @param {MatchView} match */
function showPresence(list, { seats }, { terms }) {
  if (!terms) return;
  seats.forEach(({ name }, player) => {
    const row = /** @type {HTMLElement} */ (list.children[player]);
    const presence = terms.here.includes(player) ? "here" : "away";
    const words = row.querySelector(".presence-words") ?? row.appendChild(span("presence-words unseen"));
    setAttribute(row, "data-presence", presence);
    setText(words, presence === "here" ? t("here") : t("offline"));
    setAttribute(/** @type {Element} */ (row.querySelector(".name")), "title", presence === "here" ? t("{name} is here", { name }) : t("{name} is offline", { name }));
  });
}

/** Tell a viewer without a seat whose match this is. @param {HTMLElement} place @param {Snapshot} snapshot @param {string} refusal  why no seat was had */
function showWatching(place, { seats }, refusal) {
  place.hidden = seats.some((seat) => seat.mine);
  setText(place, [refusal && `${refusal}.`, t("You are watching {names}.", { names: formatList(seats.map(({ name }) => name)) })].filter(Boolean).join(" "));
}
