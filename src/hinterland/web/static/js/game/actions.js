/** What a viewer can ask for besides moving: hint, heat map, undo, resign, a new game. */
import { get, leaveFor, reasonOf, startGame } from "../base/api.js";
import { buttonOf, need, onPress, whileBusy } from "../base/dom.js";
import { Question } from "../base/question.js";

/** @import { BoardElement, Snapshot } from "../base/types.js" */
/** @import { LiveConnection } from "./live-connection.js" */
/** @import { Replay } from "./replay.js" */

const HEAT_AFTER_MS = 120;

export class Actions {
  /** @param {string} id @param {BoardElement} board @param {LiveConnection} live @param {Replay} replay */
  constructor(id, board, live, replay) {
    this.id = id;
    this.board = board;
    this.replay = replay;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    this.heat = /** @type {HTMLInputElement} */ (need("input[name=heat]"));
    this.heatMap = new Question(/** @type {HTMLElement} */ (this.heat.closest("label")), HEAT_AFTER_MS);
    this.heat.addEventListener("change", () => this.#showHeat());
    onPress("undo", () => live.send({ type: "undo" }));
    onPress("hint", () => this.#hint());
    onPress("rematch", () => this.#rematch());
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    this.snapshot = snapshot;
    const mine = snapshot.seats.filter((seat) => seat.mine).length;
    const over = snapshot.outcome !== null;
    const ended = over && this.replay.isLatest;
    const [undo, resign, next] = ["undo", "resign", "next"].map(buttonOf);
    undo.hidden = resign.hidden = over || !mine;
    undo.disabled = !snapshot.can_undo;
    resign.disabled = !snapshot.can_move && mine !== 1;
    need("[data-save=record]").hidden = !over;
    buttonOf("hint").disabled = this.heat.disabled = ended;
    buttonOf("rematch").hidden = !ended || snapshot.next !== null || snapshot.seats.some(({ kind }) => kind === "bot");
    next.hidden = !snapshot.next;
    if (snapshot.next) next.setAttribute("href", snapshot.next.url);
    const at = this.replay.isLatest ? "" : `ply=${this.replay.ply}&`;
    for (const kind of ["png", "svg"]) need(`[data-save=${kind}]`).setAttribute("href", `/games/${this.id}.${kind}?${at}download=1`);
    this.#showHeat();
  }

  #query() {
    return new URLSearchParams({ ply: String(this.replay.ply), ...this.board.parameters?.() }).toString();
  }

  #showHeat() {
    const url = this.heat.checked && !this.heat.disabled ? `/games/${this.id}/heat.png?${this.#query()}` : "";
    this.heatMap.ask(url, () => this.board.overlay(url), {
      asked: () => this.board.overlay(null),
      failed: () => this.board.refuse("the heat map could not be drawn"),
    });
  }

  #hint() {
    const asked = this.replay.ply;
    whileBusy(buttonOf("hint"), async () => {
      const hint = await get(`/games/${this.id}/hint?${this.#query()}`).catch((error) => this.board.refuse(reasonOf(error, "no hint came")));
      if (hint && asked === this.replay.ply) this.board.suggest(hint);
    });
  }

  /** The same game again, on the same board, with the seats rotated by one. */
  #rematch() {
    const { game, seats: [first, ...others], clock } = /** @type {Snapshot} */ (this.snapshot);
    const seats = [...others, first].map(({ kind, name }) => (kind === "person" ? { kind, name } : { kind: /** @type {"program"} */ ("program"), player: name }));
    whileBusy(buttonOf("rematch"), () =>
      startGame({ game, like: this.id, seats, clock: clock && clockRequest(clock), seed: null })
        .then(leaveFor)
        .catch((error) => this.board.refuse(reasonOf(error, "the game could not be started"))),
    );
  }
}

/** @param {NonNullable<Snapshot["clock"]>} clock */
function clockRequest({ budget_ms: budget, increment_ms: increment, move_ms: move }) {
  return {
    budget: budget && budget / 1000,
    ...(increment ? { increment: increment / 1000 } : {}),
    ...(move ? { move: move / 1000 } : {}),
  };
}
