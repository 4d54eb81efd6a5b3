/** The page of one game, live or finished: takes snapshots and draws what they say. */
import { keyOf } from "./api.js";
import { Actions } from "./actions.js";
import { Appraisal } from "./appraisal.js";
import { showBar } from "./charts.js";
import { prepareDrawer, prepareFullScreen, prepareShare } from "./chrome.js";
import { readClocks, readClocksAt } from "./clocks.js";
import { need, needButton, pageData, setText } from "./dom.js";
import { sentence } from "./format.js";
import { Film, listenToKeys } from "./film.js";
import { Live } from "./live.js";
import { MoveList } from "./moves.js";
import { ReviewPanel } from "./review.js";
import { prepareRules } from "./rules-dialog.js";
import { Scrubber } from "./scrubber.js";
import { Seats, scoresAt } from "./seats.js";
import { Stage } from "./stage.js";
import { mountSwitches } from "./switches.js";
import { statusText } from "./verdict.js";
import { loadView } from "./view-loader.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").Aim} Aim */

const TICK_MS = 100;
const touches = matchMedia("(pointer: coarse)");

class GamePage {
  /** @type {Snapshot | null} */
  snapshot = null;
  receivedAt = 0;
  connected = false;
  /** What keeps the board from being drawn, in words. */
  trouble = "";
  /** @type {Aim | null} */
  aim = null;
  drawn = "";

  /** @param {string} id @param {GameView} view */
  constructor(id, view) {
    this.id = id;
    this.view = view;
    this.board = view.createBoard();
    this.stage = new Stage(need("[data-board]"), this.board);
    this.film = new Film();
    this.live = new Live(`/games/${id}/live`, keyOf(id));
    this.seats = new Seats(need("[data-seats]"), view.unit);
    this.moves = new MoveList(need("[data-moves]"), view, (ply) => this.film.step(ply - this.film.ply));
    this.scrubber = new Scrubber(need("[data-film-place]"), this.film);
    this.actions = new Actions(id, this.board, this.live, this.film);
    if (view.analysisText) this.appraisal = new Appraisal(id, view.analysisText, this.board, this.film);
    this.review = new ReviewPanel(id, view, this.board, this.film, this.moves);
    this.moveControls = view.createMoveControls?.(this.board);
    if (this.moveControls) need("[data-move-controls]").append(this.moveControls);
    mountSwitches(need("[data-switches]"), pageData().game, view.switches, (name, on) => this.board.option(name, on));
    this.#listen();
    this.live.open();
    setInterval(() => this.#tick(), TICK_MS);
  }

  #listen() {
    const { board, live, film } = this;
    live.addEventListener("snapshot", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    live.addEventListener("refused", (event) => board.refuse(/** @type {CustomEvent} */ (event).detail));
    live.addEventListener("link", (event) => this.#link(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("choose", (event) => this.#send(/** @type {CustomEvent} */ (event).detail.move));
    board.addEventListener("aim", (event) => {
      this.aim = /** @type {CustomEvent} */ (event).detail;
      this.#showPlace();
    });
    film.addEventListener("turn", () => this.#render());
    this.stage.addEventListener("trouble", (event) => {
      this.trouble = /** @type {CustomEvent} */ (event).detail;
      if (this.connected) this.#showBanner(this.trouble);
    });
    needButton("[data-act=place]").addEventListener("click", () => board.choose());
    needButton("[data-act=latest]").addEventListener("click", () => film.step(film.length));
    listenToKeys(film);
  }

  /** @param {Snapshot} snapshot */
  #take(snapshot) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.receivedAt = performance.now();
    this.film.extend(snapshot.moves.length);
    this.#render();
    if (before && before.moves.length !== snapshot.moves.length) this.#announce(snapshot);
  }

  /** @param {import("./types.js").Move} move */
  #send(move) {
    const { snapshot } = this;
    if (snapshot) this.live.send({ type: "move", ply: snapshot.moves.length, move });
  }

  /** @param {{ open: boolean, retryMs: number, reason: string }} link */
  #link({ open, retryMs, reason }) {
    const lost = `${sentence(reason) || "The connection is lost"}. Trying again in ${Math.ceil(retryMs / 1000)} s; the game is kept.`;
    this.#showBanner(open ? this.trouble : lost);
    if (open === this.connected) return;
    this.connected = open;
    document.body.dataset.link = open ? "open" : "lost";
    this.#render();
  }

  /** @param {string} words */
  #showBanner(words) {
    const banner = need("[data-banner]");
    banner.hidden = words === "";
    if (words) setText(banner, words);
  }

  #render() {
    const { snapshot, film, view } = this;
    if (!snapshot) return;
    const total = view.total(snapshot.rules);
    const scores = scoresAt(snapshot, film.ply);
    const names = snapshot.seats.map((seat) => seat.name);
    this.#showBoard(snapshot, names);
    showBar(need("[data-bar]"), scores, total, names, view.unit);
    setText(need("[data-describe]"), view.describe(snapshot.rules));
    this.seats.show(snapshot, film.ply, total);
    this.moves.show(snapshot, film.ply);
    this.scrubber.show(snapshot, total);
    this.actions.show(snapshot);
    this.appraisal?.show(snapshot);
    this.review.show(snapshot);
    this.moveControls?.show(snapshot);
    this.#showStatus(snapshot, total);
    this.#showPlace();
    this.#tick();
    document.body.dataset.ply = String(film.ply);
    document.body.dataset.game = snapshot.outcome ? "over" : "running";
  }

  /** Only a board that must look different is shown anew: an aim in progress survives everything else. @param {Snapshot} snapshot @param {string[]} names */
  #showBoard(snapshot, names) {
    const { film } = this;
    const moves = snapshot.moves.slice(0, film.ply);
    const placing = film.isLatest && snapshot.can_move && this.connected;
    const toMove = film.isLatest ? snapshot.to_move : snapshot.moves[film.ply].seat;
    const key = JSON.stringify([moves.map(({ move }) => move), placing, toMove]);
    if (key === this.drawn) return;
    this.drawn = key;
    const interactive = !snapshot.outcome && snapshot.seats.some((seat) => seat.mine);
    this.stage.show(snapshot.drawing_data, { rules: snapshot.rules, names, moves, toMove, placing, interactive });
  }

  /** @param {Snapshot} snapshot @param {number} total */
  #showStatus(snapshot, total) {
    const { film } = this;
    const instruction = this.view.deed?.how ?? (touches.matches ? "tap the board" : "click the board");
    const text = !this.connected ? "Waiting for the server" : film.isLatest ? statusText(snapshot, total, instruction) : `After move ${film.ply} of ${film.length}`;
    setText(need("[data-status]"), text);
    need("[data-act=latest]").hidden = film.isLatest || snapshot.outcome !== null;
    const watchers = snapshot.viewers - 1;
    setText(need("[data-viewers]"), watchers > 0 ? `${watchers} more ${watchers === 1 ? "viewer" : "viewers"}` : "");
    document.title = `${snapshot.can_move ? "● " : ""}${snapshot.seats.map((seat) => seat.name).join(" – ")} · Hinterland`;
  }

  #showPlace() {
    const button = needButton("[data-act=place]");
    const { aim } = this;
    button.hidden = !aim || !this.snapshot?.can_move || !this.film.isLatest;
    button.disabled = !aim?.legal;
    const deed = this.view.deed?.now ?? "Place";
    setText(button, aim?.legal ? `${deed} ${aim.words}` : deed);
  }

  /** @param {Snapshot} snapshot */
  #announce(snapshot) {
    const latest = snapshot.moves.at(-1);
    const total = this.view.total(snapshot.rules);
    const move = latest ? `${snapshot.seats[latest.seat].name} ${this.view.deed?.done ?? "placed at"} ${this.view.moveText(latest.move)}. ` : "";
    this.board.announce(`${move}${statusText(snapshot, total, this.view.deed?.how ?? "place on the board")}`);
  }

  #tick() {
    const { snapshot, film } = this;
    if (!snapshot) return;
    this.seats.tick(film.isLatest ? readClocks(snapshot, performance.now() - this.receivedAt) : readClocksAt(snapshot, film.ply));
  }
}

const { game, id } = pageData();
const view = await loadView(game);
prepareDrawer();
prepareRules(view);
prepareFullScreen();
prepareShare();
new GamePage(id, view);
