/** The viewer's actions besides moves: hint, heat map, undo, resign, a new game. */
import { leaveFor, reasonOf, startGame } from "../base/api.js";
import { buttonOf, need, onPress, whileBusy } from "../base/dom.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { Advice } from "./advice.js";

/** @import { BoardElement, Snapshot } from "../base/types.js" */
/** @import { LiveConnection } from "./live-connection.js" */
/** @import { Replay } from "./replay.js" */

export class Actions {
  /** @param {string} id @param {BoardElement} board @param {LiveConnection} live @param {Replay} replay */
  constructor(id, board, live, replay) {
    this.id = id;
    this.board = board;
    this.replay = replay;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    this.advice = new Advice(`/games/${id}`, board, replay);
    onPress("undo", () => live.send({ type: "undo" }));
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
    const study = need("[data-act=study]");
    study.hidden = !over;
    study.setAttribute("href", urlOf(`/study/${this.id}?ply=${this.replay.ply}`));
    buttonOf("rematch").hidden = !ended || !mine || snapshot.next !== null || snapshot.seats.some(({ kind }) => kind === "bot");
    next.hidden = !snapshot.next;
    if (snapshot.next) next.setAttribute("href", urlOf(snapshot.next.url));
    const moment = this.replay.isLatest ? "" : `ply=${this.replay.ply}&`;
    for (const kind of ["png", "svg"]) need(`[data-save=${kind}]`).setAttribute("href", urlOf(`/games/${this.id}.${kind}?${moment}download=1`));
    this.advice.show(!ended);
  }

  /** Start the same game again, on the same board, with the seats rotated by one. */
  #rematch() {
    const { game, seats: [first, ...others], clock } = /** @type {Snapshot} */ (this.snapshot);
    const seats = [...others, first].map(({ kind, given }) => (kind === "person" ? { kind, name: given } : { kind: /** @type {"program"} */ ("program"), player: given }));
    whileBusy(buttonOf("rematch"), () =>
      startGame({ game, like: this.id, seats, clock: clock && clockRequest(clock), seed: null })
        .then(leaveFor)
        .catch((error) => this.board.refuse(reasonOf(error, t("the game could not be started")))),
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
