/** A finished game with variations. The viewer can try other moves anywhere, comment, draw, and see the best moves and the expected end. */
import { reasonOf, saveFile, Refused, downloadStudy, expectEnd, judgeLine, openRecord } from "../base/api.js";
import { buttonOf, make, need, onDetail, onPress, setText, span, whileBusy, draw } from "../base/dom.js";
import { formatGain, sentence } from "../base/format.js";
import { t } from "../base/words.js";
import { showBar } from "../board/charts.js";
import { SCALE, sheet } from "../board/marks.js";
import { BoardLoader } from "../game/board-loader.js";
import { DrawingLayer } from "./drawing-layer.js";
import { ExpectedEnd } from "./expected-end.js";
import { StudyTree, encodeStudy } from "./study-tree.js";
import { TreeList } from "./tree-list.js";

/** @import { Line } from "../base/api.js" */
/** @import { GameView, Move, Snapshot, BoardElement } from "../base/types.js" */
/** @import { Mark, Study } from "./study-tree.js" */

/** @typedef {{ move: Move, gain: number }} Candidate */

export class StudyBoard {
  /** @type {Map<number, Candidate[]>} the best moves of nodes that were asked for */
  best = new Map();
  #asked = 0;

  /** @param {StudiedGame} source @param {GameView} view @param {Snapshot} game */
  constructor(source, view, game) {
    this.source = source;
    this.view = view;
    this.game = game;
    this.tree = new StudyTree(game);
    this.at = 0;
    this.end = new ExpectedEnd();
    this.board = view.createBoard();
    this.loader = new BoardLoader(need("[data-board]"), this.board);
    this.ghosts = new GhostLayer(this.board);
    this.list = new TreeList(need("[data-tree]"), view, (node) => this.go(node));
    this.drawing = new DrawingLayer(this.board, (marks) => this.#note({ marks }));
    this.note = /** @type {HTMLTextAreaElement} */ (need("[data-note]"));
    this.note.addEventListener("input", () => this.#note({ note: this.note.value.trim() }));
    onDetail(this.board, "choose", ({ move }) => this.#branch(move));
    onPress("back", () => this.go(Math.max(0, this.tree.nodes[this.at].parent)));
    onPress("on", () => this.go(this.tree.nodes[this.at].children[0] ?? this.at));
    onPress("remove", () => this.go(this.tree.remove(this.at)));
    onPress("unmark", () => this.#note({ marks: [] }));
    onPress("mark", () => this.drawing.turn(this.#press("mark")));
    onPress("best", () => this.#press("best") && this.#ask());
    onPress("evaluate", () => this.#press("evaluate"));
    onPress("link", () => this.#copy());
    onPress("download", () => this.#save());
    setText(need("[data-describe]"), game.seats.map(({ name }) => name).join(" – "));
  }

  /** Remove everything but the game. */
  forget() {
    this.tree = new StudyTree(this.game);
  }

  /** @param {number} node */
  go(node) {
    this.at = node;
    this.#show();
    if (this.tree.nodes[node].toMove === undefined || (this.#isPressed("best") && !this.best.has(node))) this.#ask();
  }

  /** @param {Move} move */
  #branch(move) {
    this.#tell("");
    try {
      this.go(this.tree.add(this.at, move));
    } catch (error) {
      this.#tell(String(/** @type {Error} */ (error).message));
    }
  }

  /** Request what is not known of the current node: seats to move, scores and, if they are shown, best moves. */
  async #ask() {
    const { at, tree } = this;
    const { nodes } = tree.branch(at);
    const number = ++this.#asked;
    try {
      const told = await this.source.judge({ ...this.#line(), best: this.#isPressed("best") });
      nodes.forEach((node, k) => Object.assign(node, told.moves[k], { toMove: told.moves[k + 1]?.seat ?? node.toMove }));
      Object.assign(tree.nodes[at], { scores: told.scores, toMove: told.to_move });
      if (this.#isPressed("best")) this.best.set(at, told.best);
    } catch (error) {
      this.#tell(sentence(reasonOf(error, t("The variation could not be checked"))));
      if (!tree.isGame(at) && tree.nodes[at].scores === null) this.at = tree.remove(at);
    }
    if (number === this.#asked) this.#show();
  }

  #line() {
    const { ply, nodes } = this.tree.branch(this.at);
    return { ply, moves: nodes.map(({ move }) => move) };
  }

  #show() {
    const { tree, at, game, view, board } = this;
    const { toMove, scores, note, marks } = tree.nodes[at];
    const line = tree.line(at);
    const names = game.seats.map((seat) => seat.name);
    const isOpen = toMove !== null && toMove !== undefined;
    const moves = line.map(({ seat, move }) => ({ seat: Math.max(0, seat), move }));
    this.loader.show(game.drawing_data, { rules: game.rules, names, moves, toMove: toMove ?? null, placing: isOpen, interactive: true });
    showBar(need("[data-bar]"), scores ?? names.map(() => 0), view.total(game.rules), names, view.unit);
    this.list.show(tree, at);
    this.drawing.show(marks);
    if (document.activeElement !== this.note) this.note.value = note;
    setText(need("[data-status]"), isOpen ? t("{name} to move", { name: names[toMove] }) : toMove === null ? t("The game is over") : t("Checking the variation"));
    buttonOf("remove").disabled = tree.isGame(at);
    this.#showEnd(names, isOpen);
    this.#showBest(this.#isPressed("best") ? (this.best.get(at) ?? []) : []);
    board.suggest(null);
    history.replaceState(null, "", `?node=${at}${location.hash}`);
    document.body.dataset.node = String(at);
  }

  /** @param {string[]} names @param {boolean} isOpen */
  #showEnd(names, isOpen) {
    const line = this.#line();
    const about = isOpen && this.#isPressed("evaluate") ? JSON.stringify(line) : "";
    const words = { names, total: this.view.total(this.game.rules), unit: this.view.unit };
    this.end.show(about, (signal) => this.source.expect(line, signal), words);
  }

  /** @param {Candidate[]} found */
  #showBest(found) {
    const place = need("[data-best]");
    place.hidden = found.length === 0;
    this.ghosts.show(found, this.tree.nodes[this.at].toMove ?? 0);
    place.replaceChildren(
      ...found.map(({ move, gain }) => {
        const button = make("button", { type: "button", class: "move" }, span("", this.view.moveText(move)), span("gain-of", formatGain(gain)));
        const look = () => this.board.suggest({ best: move, gain, quiet: true });
        for (const coming of ["pointerenter", "focus"]) button.addEventListener(coming, look);
        for (const going of ["pointerleave", "blur"]) button.addEventListener(going, () => this.board.suggest(null));
        button.addEventListener("click", () => this.#branch(move));
        return make("li", {}, button);
      }),
    );
  }

  /** @param {{ note?: string, marks?: Mark[] }} said */
  #note(said) {
    Object.assign(this.tree.nodes[this.at], said);
    this.list.show(this.tree, this.at);
    this.drawing.show(this.tree.nodes[this.at].marks);
  }

  /** @param {string} act */
  #press(act) {
    const isOn = !this.#isPressed(act);
    buttonOf(act).setAttribute("aria-pressed", String(isOn));
    this.#show();
    return isOn;
  }

  /** @param {string} act */
  #isPressed = (act) => buttonOf(act).getAttribute("aria-pressed") === "true";

  async #copy() {
    const { record } = this.source;
    const hash = await encodeStudy({ study: this.tree.study(), ...(record === null ? {} : { record }) });
    if (hash === null) return this.#tell(t("This study is too long for a link: save it as a game file, which you can open here again"));
    location.hash = hash;
    const isDone = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    setText(buttonOf("link"), isDone ? t("link copied") : t("copy the address above"));
    setTimeout(() => setText(buttonOf("link"), t("copy link")), 2000);
  }

  #save() {
    const failed = (/** @type {unknown} */ error) => this.#tell(sentence(reasonOf(error, t("the study could not be saved"))));
    whileBusy(buttonOf("download"), () => this.source.withStudy(this.tree.study()).then(saveFile).catch(failed));
  }

  /** @param {string} words */
  #tell(words) {
    setText(need("[data-error]"), words);
  }
}

/** Draws possible moves over a board: each as a faint piece or line, with what it gains. */
class GhostLayer {
  layer = sheet("ghosts");

  /** @param {BoardElement} board */
  constructor(board) {
    this.board = board;
    this.layer.setAttribute("aria-hidden", "true");
  }

  /** @param {{ move: Move, gain: number }[]} found  the best first @param {number} seat  whose they are */
  show(found, seat) {
    const { board, layer } = this;
    if (!layer.isConnected) board.surface.append(layer);
    layer.setAttribute("class", `ghosts seat-${seat}`);
    layer.replaceChildren(...found.map(({ move, gain }) => ghost(board.spotsOf(move), formatGain(gain))).reverse());
  }
}

/** A possible move: a faint piece on one place, or a faint line between two places. @param {[number, number][]} spots  in the unit square @param {string} words */
function ghost(spots, words) {
  const isLine = spots.length > 1;
  const [from, to] = [spots[0], spots[spots.length - 1]].map(([across, down]) => [SCALE * across, SCALE * down]);
  const shape = isLine ? draw("path", { d: `M${from}L${to}` }) : draw("circle", { cx: from[0], cy: from[1] });
  const label = draw("text", { class: isLine ? "on-line" : "", x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 }, words);
  return draw("g", {}, shape, label);
}

/** A game under study on the server: a game of the arena, or an opened game file, which the server keeps for a while. */
export class StudiedGame {
  /** @param {string} url  to which requests about the game go @param {string | null} record  the game file's text; null for a game of the arena */
  constructor(url, record = null) {
    this.url = url;
    this.record = record;
  }

  /** @param {Line} line */
  judge = (line) => this.#asked(() => judgeLine(this.url, line));

  /** Fetch the scores with which a variation is expected to end. @param {Line} line @param {AbortSignal} signal */
  expect = (line, signal) => this.#asked(() => expectEnd(this.url, line, signal));

  /** Download the record of the game with a study in it. @param {Study} study */
  withStudy = (study) => this.#asked(() => downloadStudy(this.url, study));

  /** Send a request. If the server has forgotten the game file, send the file again, then the request. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
  async #asked(ask) {
    try {
      return await ask();
    } catch (error) {
      if (this.record === null || !(error instanceof Refused) || error.status !== 404) throw error;
      await openRecord(this.record);
      return ask();
    }
  }
}
