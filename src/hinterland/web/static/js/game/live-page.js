/**
 * What the pages of a game and of a match share: board, replay, players, clocks, the connection that tells of them, and for who
 * may move an aim on the board, the button that places it, and what was refused.
 */
import { askFirst, buttonOf, need, onDetail, onPress, pageData, setText } from "../base/dom.js";
import { sentence, several } from "../base/format.js";
import { prepareRules } from "../board/rules-dialog.js";
import { BoardLoader } from "./board-loader.js";
import { showBar } from "./charts.js";
import { statusText } from "./game-status.js";
import { LiveConnection } from "./live-connection.js";
import { MoveList } from "./move-list.js";
import { PlayerList } from "./player-list.js";
import { Replay, listenToKeys } from "./replay.js";
import { Scrubber } from "./scrubber.js";
import { moverAt, readClocks, scoresAt } from "./snapshot.js";
import { mountSwitches } from "./switches.js";
import { prepareDrawer, prepareFullScreen, prepareShare } from "./toolbar.js";

/** @import { Aim, GameView, Snapshot } from "../base/types.js" */
/** @import { Link } from "./live-connection.js" */

const TICK_MS = 100;
const touches = matchMedia("(pointer: coarse)");

/** A page says with `take`, `link` and `render` what it makes of what it is told. @abstract */
export class LivePage {
  /** @type {Snapshot | null} */
  snapshot = null;
  receivedAt = 0;
  /** What the board was last told to show. */
  drawn = "";
  connected = false;
  /** @type {Aim | null} */
  aim = null;
  replay = new Replay();

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
    onDetail(live, "refused", (words) => board.refuse(words));
    onDetail(board, "choose", ({ move }) => live.send({ type: "move", ply: this.snapshot?.moves.length, move }));
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
    prepareRules(view);
    prepareFullScreen();
    prepareShare();
    live.open();
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Show a snapshot, and say what was played since the one before. @param {Snapshot} snapshot */
  take(snapshot) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.receivedAt = performance.now();
    this.replay.extend(snapshot.moves.length);
    this.render();
    if (before && before.moves.length !== snapshot.moves.length) this.announce(snapshot);
  }

  /** @param {Link} _link */
  link(_link) {}

  render() {}

  /** Show a game in which a person of this browser may be to move. @param {Snapshot} snapshot */
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
    this.#showPlace();
    this.tick();
    document.body.dataset.ply = String(replay.ply);
    document.body.dataset.game = snapshot.outcome ? "over" : "running";
  }

  /** Only a board that must look different is shown anew: an aim in progress survives everything else. @param {Snapshot} snapshot @param {string[]} names */
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
    const verb = this.view.verb?.now ?? "Place";
    button.hidden = !aim || !this.snapshot?.can_move || !this.replay.isLatest;
    button.disabled = !aim?.legal;
    setText(button, aim?.legal ? `${verb} ${aim.words}` : verb);
  }

  /** Whose turn it is, or how the game ended. @param {Snapshot} snapshot */
  statusOf(snapshot) {
    const how = this.view.verb?.how ?? (touches.matches ? "tap the board" : "click the board");
    return statusText(snapshot, this.view.total(snapshot.rules), how);
  }

  /** @param {string} latest  what is said while the latest move is looked at */
  showStatus(latest) {
    const { replay } = this;
    setText(need("[data-status]"), replay.isLatest ? latest : `After move ${replay.ply} of ${replay.length}`);
  }

  /** @param {Snapshot} snapshot @param {string} title */
  showViewers({ viewers, remark }, title) {
    const watching = viewers > 1 ? several(viewers - 1, "more viewer") : "";
    setText(need("[data-viewers]"), [watching, remark ?? ""].filter(Boolean).join(" · "));
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
    return `${sentence(reason) || "The connection is lost"}. Trying again in ${Math.ceil(retryMs / 1000)} s`;
  }

  /** @param {Snapshot} snapshot @param {string} [more] */
  announce({ moves, seats }, more = "") {
    const latest = moves.at(-1);
    const move = latest ? `${seats[latest.seat].name} ${this.view.verb?.done ?? "placed at"} ${this.view.moveText(latest.move)}` : "";
    this.board.announce([move, more].filter(Boolean).join(". "));
  }

  tick() {
    const { snapshot, replay } = this;
    if (snapshot) this.players.tick(readClocks(snapshot, replay.ply, performance.now() - this.receivedAt));
  }
}
