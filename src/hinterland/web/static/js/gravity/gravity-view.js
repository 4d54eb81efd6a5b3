/** The view of gravity for the generic pages. */
import { make, setText, span } from "../base/dom.js";
import { formatNumber, t, tn } from "../base/words.js";
import { GravityBoard } from "./gravity-board.js";
import { rulesView } from "./gravity-rules.js";

/** @import { GameView, Snapshot } from "../base/types.js" */

/** @type {GameView} */
export const view = {
  ...rulesView,
  createBoard: () => new GravityBoard(),
  createMoveControls: (board) => new WeightChooser(/** @type {GravityBoard} */ (board)),
};

/** `<weight-chooser>`: the weight of the next stone, in games with weights. */
class WeightChooser extends HTMLElement {
  /** @param {GravityBoard} board */
  constructor(board) {
    super();
    this.board = board;
    this.range = make("input", { type: "range", min: 1, max: 1, value: 1, id: "next-weight" });
    this.number = make("input", { type: "number", min: 1, max: 1, step: 1, value: 1, class: "number", "aria-label": t("Weight of the stone, as a number") });
    this.turn = "";
    this.left = span("faint");
    this.hidden = true;
    this.append(make("label", { for: "next-weight" }, t("Weight of the stone")), this.range, this.number, this.left);
    this.range.addEventListener("input", () => this.#tell(this.range.value));
    this.number.addEventListener("change", () => this.#tell(this.number.value));
  }

  /** @param {Snapshot} snapshot */
  show({ rules, weight_left: left, to_move: seat, can_move: mine, moves }) {
    const units = seat === null ? null : left?.[seat];
    this.hidden = !units || !mine;
    if (!units || !mine) return;
    const placed = moves.filter((move) => move.seat === seat).length;
    const later = Number(rules.stones) - placed - 1;
    this.range.max = this.number.max = String(units);
    setText(this.left, tn("of {units}, for {count} stone", "of {units}, for {count} stones", later + 1, { units: formatNumber(units) }));
    const turn = `${moves.length}/${seat}`;
    if (turn !== this.turn) this.#tell(String(Math.max(1, Math.round(units / (later + 1)))));
    this.turn = turn;
  }

  /** @param {string} weight */
  #tell(weight) {
    this.range.value = weight;
    this.number.value = this.range.value;
    this.board.setWeight(Number(this.range.value));
  }
}

customElements.define("weight-chooser", WeightChooser);
