/** The page of a match that a referee plays: the lobby before, game after game, and the result. Nobody moves here. */
import { Refused, closeTable, tableKeyOf } from "./api.js";
import { showBar } from "./charts.js";
import { prepareDrawer, prepareFullScreen, prepareShare } from "./chrome.js";
import { readClocks, readClocksAt } from "./clocks.js";
import { need, needButton, pageData, setText } from "./dom.js";
import { Film, listenToKeys } from "./film.js";
import { sentence } from "./format.js";
import { Live } from "./live.js";
import { showLobby } from "./lobby.js";
import { headline, matchStatus, standing } from "./match-words.js";
import { MoveList } from "./moves.js";
import { Pacer } from "./pacing.js";
import { prepareRules } from "./rules-dialog.js";
import { clearScore, showGames, showNotice, showTallies } from "./score.js";
import { Scrubber } from "./scrubber.js";
import { Seats, scoresAt } from "./seats.js";
import { Stage } from "./stage.js";
import { mountSwitches } from "./switches.js";
import { loadView } from "./view-loader.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").MatchView} MatchView */

const TICK_MS = 100;

class MatchPage {
  /** @type {Snapshot | null} */
  snapshot = null;
  receivedAt = 0;
  drawn = "";
  key = "";

  /** @param {string} id @param {GameView} view */
  constructor(id, view) {
    this.view = view;
    this.board = view.createBoard();
    this.stage = new Stage(need("[data-board]"), this.board);
    this.stage.addEventListener("trouble", (event) => this.#showBanner(/** @type {CustomEvent} */ (event).detail));
    this.film = new Film();
    this.live = new Live(`/tables/${id}/live`, null);
    this.seats = new Seats(need("[data-seats]"), view.unit);
    this.moves = new MoveList(need("[data-moves]"), view, (ply) => this.film.step(ply - this.film.ply));
    this.scrubber = new Scrubber(need("[data-film-place]"), this.film);
    mountSwitches(need("[data-switches]"), pageData().game, view.switches, (name, on) => this.board.option(name, on));
    this.pacer = new Pacer((snapshot) => this.#take(snapshot));
    this.live.addEventListener("snapshot", (event) => this.pacer.take(/** @type {CustomEvent} */ (event).detail));
    this.live.addEventListener("link", (event) => this.#link(/** @type {CustomEvent} */ (event).detail));
    this.film.addEventListener("turn", () => this.#render());
    needButton("[data-act=latest]").addEventListener("click", () => this.film.step(this.film.length));
    listenToKeys(this.film);
    this.live.open();
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** @param {Snapshot} snapshot */
  #take(snapshot) {
    const { match } = snapshot;
    if (!match) return;
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.receivedAt = performance.now();
    const isNew = match.key !== this.key;
    this.film.extend(snapshot.moves.length);
    if (isNew) {
      if (this.key) this.film.step(snapshot.moves.length);
      this.key = match.key;
      this.drawn = "";
    }
    this.#render();
    if (!isNew && before && before.moves.length !== snapshot.moves.length) this.#announce(snapshot);
  }

  /** A server that is gone after the end has done its work: the result stays. @param {{ open: boolean, retryMs: number, reason: string }} link */
  #link({ open, retryMs, reason }) {
    const state = this.pacer.latest?.match?.state;
    const isDone = state === "over" || state === "closed";
    if (isDone && !open) this.live.close();
    const lost = `${sentence(reason) || "The connection is lost"}. Trying again in ${Math.ceil(retryMs / 1000)} s.`;
    if (!open || document.body.dataset.link === "lost") this.#showBanner(open || isDone ? "" : lost);
    document.body.dataset.link = open ? "open" : isDone ? "done" : "lost";
  }

  /** @param {string} words */
  #showBanner(words) {
    const banner = need("[data-banner]");
    banner.hidden = words === "";
    if (words) setText(banner, words);
  }

  #render() {
    const { snapshot } = this;
    if (!snapshot?.match) return;
    const { match } = snapshot;
    const isPlayed = match.key !== "";
    need("[data-connecting]").hidden = true;
    need("[data-lobby]").hidden = isPlayed;
    need("[data-stage]").hidden = need("[data-panel]").hidden = !isPlayed;
    setText(need("[data-describe]"), this.view.describe(snapshot.rules));
    if (isPlayed) this.#renderGame(snapshot, match);
    else showLobby(snapshot, match, this.view.describe(snapshot.rules));
    if (!isPlayed) showNotice(need("[data-lobby-notice]"), match);
    const watchers = snapshot.viewers - 1;
    setText(need("[data-viewers]"), watchers > 0 ? `${watchers} more ${watchers === 1 ? "viewer" : "viewers"}` : "");
    document.title = `${isPlayed ? snapshot.seats.map((seat) => seat.name).join(" – ") : "Waiting for players"} · Hinterland`;
    document.body.dataset.match = match.state;
    this.#showClose(match);
  }

  /** @param {Snapshot} snapshot @param {MatchView} match */
  #renderGame(snapshot, match) {
    const { film, view } = this;
    const total = view.total(snapshot.rules);
    const names = snapshot.seats.map((seat) => seat.name);
    clearScore(match);
    this.#showBoard(snapshot, names);
    showBar(need("[data-bar]"), scoresAt(snapshot, film.ply), total, names, view.unit);
    this.seats.show(snapshot, film.ply, total);
    showTallies(need("[data-seats]"), match, view.unit);
    showGames(need("[data-games]"), match);
    showNotice(need("[data-notice]"), match);
    this.moves.show(snapshot, film.ply);
    this.scrubber.show(snapshot, total);
    setText(need("[data-headline]"), match.state === "over" ? "Final result" : headline(match));
    const starter = match.starter === null || snapshot.outcome ? "" : `${names[match.starter]} began`;
    setText(need("[data-headline-side]"), standing(match) || starter);
    const status = film.isLatest ? matchStatus(snapshot, match, total, view.unit) : `After move ${film.ply} of ${film.length}`;
    setText(need("[data-status]"), status);
    need("[data-act=latest]").hidden = film.isLatest;
    document.body.dataset.ply = String(film.ply);
    document.body.dataset.number = String(match.number);
    document.body.dataset.game = snapshot.outcome ? "over" : "running";
    this.#tick();
  }

  /** @param {Snapshot} snapshot @param {string[]} names */
  #showBoard({ rules, drawing_data: drawingData, moves: all, to_move: mover }, names) {
    const { film } = this;
    const moves = all.slice(0, film.ply);
    const toMove = film.isLatest ? mover : all[film.ply].seat;
    const key = JSON.stringify([moves.map(({ move }) => move), toMove]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.stage.show(drawingData, { rules, names, moves, toMove, placing: false });
  }

  /** @param {Snapshot} snapshot */
  #announce(snapshot) {
    const latest = snapshot.moves.at(-1);
    if (latest) this.board.announce(`${snapshot.seats[latest.seat].name} ${this.view.deed?.done ?? "placed at"} ${this.view.moveText(latest.move)}`);
  }

  #tick() {
    const { snapshot, film } = this;
    if (!snapshot?.match?.key) return;
    this.seats.tick(film.isLatest ? readClocks(snapshot, performance.now() - this.receivedAt) : readClocksAt(snapshot, film.ply));
  }

  /** Who made the table may close it. @param {MatchView} match */
  #showClose({ state }) {
    const button = document.querySelector("[data-act=close]");
    if (button instanceof HTMLElement) button.hidden = tableKeyOf(pageData().id) === null || state === "over" || state === "closed";
  }
}

/** @param {string} id */
function prepareClose(id) {
  const button = document.querySelector("[data-act=close]");
  if (!(button instanceof HTMLElement)) return;
  const dialog = /** @type {HTMLDialogElement} */ (need("#close"));
  button.addEventListener("click", () => {
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "yes") return;
    await closeTable(id).catch((error) => setText(button, error instanceof Refused ? error.message : "it could not be closed"));
  });
}

const { game, id } = pageData();
const view = await loadView(game);
prepareDrawer();
prepareRules(view);
prepareFullScreen();
prepareShare();
prepareClose(id);
new MatchPage(id, view);
