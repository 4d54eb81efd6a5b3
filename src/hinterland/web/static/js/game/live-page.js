/**
 * What the pages of a game and of a match share: board, replay, players, clocks, and the connection that brings their
 * state. A viewer who may move also gets an aim on the board, a button that makes the move, and the reason if it is
 * refused.
 */
import { isLostWithTab } from "../base/api.js";
import { askFirst, buttonOf, need, onDetail, onPress, pageData, setText, onClick } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t, tn } from "../base/words.js";
import { showBar, shareTrack } from "../board/charts.js";
import { prepareRules } from "../board/rules-dialog.js";
import { TypedMove } from "../board/typed-move.js";
import { BoardLoader } from "./board-loader.js";
import { statusText } from "./game-status.js";
import { LiveConnection } from "./live-connection.js";
import { MoveList } from "./move-list.js";
import { PlayerList } from "./player-list.js";
import { Replay, listenToKeys } from "./replay.js";
import { moverAt, readClocks, scoresAt, historyOf } from "./snapshot.js";
import { mountSwitches } from "./switches.js";
import { prepareDrawer, prepareFullScreen } from "./toolbar.js";
import { WhatSounds } from "./what-sounds.js";

/** @import { Aim, GameView, Move, Snapshot } from "../base/types.js" */
/** @import { Link } from "./live-connection.js" */
/** @import { Step } from "./replay.js" */

/** Keeps the screen on while somebody plays. @type {WakeLockSentinel | null} */
let lock = null;
let isWanted = false;

/** @param {boolean} isPlaying */
function keepAwake(isPlaying) {
  if (isPlaying === isWanted) return;
  isWanted = isPlaying;
  hold();
}

/** Take or release the lock that keeps the screen on. A hidden page loses the lock, so this is called again when the page is shown. */
async function hold() {
  if (!isWanted || document.hidden) {
    await lock?.release();
    lock = null;
  } else if (!lock || lock.released) {
    // Without such a lock people can still play.
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

document.addEventListener("visibilitychange", hold);

const TICK_MS = 100;
const touches = matchMedia("(pointer: coarse)");

/** The base of live pages. Subclasses override `take`, `link` and `render`. @abstract */
export class LivePage {
  /** @type {Snapshot | null} */
  snapshot = null;
  receivedAt = 0;
  /** Identifies the scene on the board: its moves, the seat to move, and whether the viewer may place. */
  drawn = "";
  connected = false;
  /** @type {Aim | null} */
  aim = null;
  replay = new Replay();
  sounds = new WhatSounds();

  /** @param {GameView} view @param {string} path  of the connection @param {string | null} key */
  constructor(view, path, key) {
    const board = view.createBoard();
    const live = new LiveConnection(path, key);
    this.view = view;
    this.board = board;
    this.live = live;
    this.loader = new BoardLoader(need("[data-board]"), board);
    this.moveControls = view.createMoveControls?.(board);
    if (this.moveControls) need("[data-move-controls]").append(this.moveControls);
    this.players = new PlayerList(need("[data-seats]"), view.unit);
    this.moves = new MoveList(need("[data-moves]"), view, (ply) => this.replay.turnTo(ply));
    this.scrubber = new Scrubber(need("[data-replay]"), this.replay);
    mountSwitches(need("[data-switches]"), pageData().game, board);
    onDetail(live, "snapshot", (snapshot) => this.take(snapshot));
    onDetail(live, "link", (link) => this.link(link));
    /** @param {Move} move */
    const place = (move) => live.send({ type: "move", ply: this.snapshot?.moves.length, move });
    this.typed = new TypedMove(view.typing, view.verb?.now ?? t("Place"), place);
    onDetail(live, "refused", (words) => {
      board.refuse(words);
      this.typed.refuse(sentence(words));
    });
    onDetail(board, "choose", ({ move }) => place(move));
    onDetail(board, "aim", (aim) => {
      this.aim = aim;
      this.#showPlace();
    });
    onPress("place", () => board.choose());
    onPress("resign", () => askFirst("#resign", () => live.send({ type: "resign" })));
    onPress("latest", () => this.replay.take("last"));
    this.replay.addEventListener("turn", () => this.render());
    listenToKeys(this.replay);
    prepareDrawer();
    prepareRules(view, (isOpen) => this.#rest(isOpen));
    prepareFullScreen();
    live.open();
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Show a snapshot, and announce the moves since the previous snapshot. @param {Snapshot} snapshot */
  take(snapshot) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.receivedAt = performance.now();
    this.replay.extend(snapshot.moves.length);
    this.render();
    if (before && before.moves.length !== snapshot.moves.length) this.announce(snapshot);
    if (before?.id === snapshot.id) this.sounds.heard(before, snapshot, this.view.total(snapshot.rules));
    keepAwake(snapshot.outcome === null && snapshot.seats.some((seat) => seat.mine));
  }

  /** @param {Link} _link */
  link(_link) {}

  render() {}

  /** Show the game of a snapshot, as it stood at the move that the replay shows. @param {Snapshot} snapshot */
  renderGame(snapshot) {
    const { replay, view } = this;
    const total = view.total(snapshot.rules);
    const names = snapshot.seats.map((seat) => seat.name);
    this.#showBoard(snapshot, names);
    showBar(need("[data-bar]"), scoresAt(snapshot, replay.ply), total, names, view.unit);
    setText(need("[data-describe]"), view.describe(snapshot.rules));
    this.players.show(snapshot, replay.ply, total);
    this.moves.show(snapshot, replay.ply);
    this.scrubber.show(snapshot, total);
    this.moveControls?.show(snapshot);
    this.typed.show(snapshot.can_move && replay.isLatest, snapshot.moves.length);
    this.#showPlace();
    this.tick();
    document.body.dataset.ply = String(replay.ply);
    document.body.dataset.game = snapshot.outcome ? "over" : "running";
  }

  /** Redraw the board, but only if it would look different, since redrawing ends an aim in progress. @param {Snapshot} snapshot @param {string[]} names */
  #showBoard(snapshot, names) {
    const { ply, isLatest } = this.replay;
    const { rules, outcome, seats } = snapshot;
    const moves = snapshot.moves.slice(0, ply);
    const toMove = moverAt(snapshot, ply);
    const placing = isLatest && snapshot.can_move && this.connected;
    const interactive = !outcome && seats.some((seat) => seat.mine);
    const key = JSON.stringify([moves.map(({ move }) => move), placing, toMove]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.loader.show(snapshot.drawing_data, { rules, moves, toMove, names, placing, interactive });
  }

  #showPlace() {
    const button = buttonOf("place");
    const { aim } = this;
    const verb = this.view.verb?.now ?? t("Place");
    button.hidden = !aim || !this.snapshot?.can_move || !this.replay.isLatest;
    button.disabled = !aim?.legal;
    setText(button, aim?.legal ? `${verb} ${aim.words}` : verb);
  }

  /** Whose turn it is, or how the game ended. @param {Snapshot} snapshot */
  statusOf(snapshot) {
    const how = this.view.verb?.how ?? (touches.matches ? t("tap the board") : t("click the board"));
    return statusText(snapshot, this.view.total(snapshot.rules), how);
  }

  /** @param {string} latest  what is said while the latest move is looked at */
  showStatus(latest) {
    const { replay } = this;
    setText(need("[data-status]"), replay.isLatest ? latest : t("After move {number} of {count}", { number: replay.ply, count: replay.length }));
  }

  /** @param {Snapshot} snapshot @param {string} title */
  showViewers({ viewers, remark }, title) {
    setText(need("[data-viewers]"), viewers > 1 ? tn("{count} watching", "{count} watching", viewers - 1) : "");
    const warning = isLostWithTab() && this.live.key !== null ? t("your browser blocks storage: you lose your seat when you close this tab") : "";
    setText(need("[data-remark]"), remark ?? warning);
    document.title = `${title} · Hinterland`;
  }

  /** @param {string} words */
  showBanner(words) {
    const banner = need("[data-banner]");
    banner.hidden = words === "";
    if (words) setText(banner, words);
  }

  /** @param {Link} link */
  lostText({ reason, retryMs }) {
    const why = sentence(reason) || t("Connection lost");
    return t("{why}. Retrying in {seconds} s", { why, seconds: Math.ceil(retryMs / 1000) });
  }

  /** @param {Snapshot} snapshot @param {string} [more] */
  announce({ moves, seats }, more = "") {
    const latest = moves.at(-1);
    const done = this.view.verb?.done ?? ((name, move) => t("{name} placed at {move}", { name, move }));
    const move = latest ? done(seats[latest.seat].name, this.view.moveText(latest.move)) : "";
    this.board.announce([move, more].filter(Boolean).join(". "));
  }

  /** Ask the server to stop this player's clock while the rules are open. The server does so only in games against built-in players. @param {boolean} on */
  #rest(on) {
    if (this.connected && this.snapshot?.clock && this.snapshot.seats.some((seat) => seat.mine)) this.live.send({ type: "rest", on });
  }

  tick() {
    const { snapshot, replay } = this;
    if (!snapshot) return;
    const readings = readClocks(snapshot, replay.ply, performance.now() - this.receivedAt);
    this.players.tick(readings);
    this.sounds.tick(snapshot, readings);
  }
}

/** The scrubber of a replay: a slider whose track shows the areas after each move. */
class Scrubber {
  /** @param {HTMLElement} place @param {Replay} replay */
  constructor(place, replay) {
    this.place = place;
    this.replay = replay;
    this.range = /** @type {HTMLInputElement} */ (need("input[type=range]", place));
    this.known = "";
    this.range.addEventListener("input", () => replay.turnTo(Number(this.range.value)));
    onClick(place, "step", (step) => replay.take(/** @type {Step} */ (step)));
  }

  /** @param {Snapshot} snapshot @param {number} total */
  show(snapshot, total) {
    const { replay, range, place } = this;
    const history = historyOf(snapshot);
    const key = history.join(";");
    if (key !== this.known) need(".track-place", place).replaceChildren(shareTrack(history, total));
    this.known = key;
    range.max = String(replay.length);
    range.value = String(replay.ply);
    range.disabled = replay.length === 0;
    range.setAttribute("aria-valuetext", t("after move {number} of {count}", { number: replay.ply, count: replay.length }));
    place.style.setProperty("--at", String(replay.length ? replay.ply / replay.length : 1));
    setText(need(".replay-ply", place), `${replay.ply} / ${replay.length}`);
    const button = (/** @type {Step} */ step) => /** @type {HTMLButtonElement} */ (need(`[data-step=${step}]`, place));
    button("play").setAttribute("aria-label", replay.isPlaying ? t("Pause") : t("Play it back"));
    button("play").classList.toggle("playing", replay.isPlaying);
    button("first").disabled = button("back").disabled = replay.ply === 0;
    button("on").disabled = button("last").disabled = replay.isLatest;
  }
}
