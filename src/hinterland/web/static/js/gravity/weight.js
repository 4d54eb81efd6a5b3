/** `<weight-chooser>`: how heavy the next stone shall be, in games with weights. */
import { make, setText } from "../dom.js";

/** @typedef {import("../types.js").Snapshot} Snapshot */
/** @typedef {import("./board.js").GravityBoard} GravityBoard */

export class WeightChooser extends HTMLElement {
  /** @param {GravityBoard} board */
  constructor(board) {
    super();
    this.board = board;
    this.range = make("input", { type: "range", min: 1, max: 1, value: 1, id: "next-weight" });
    this.number = make("input", { type: "number", min: 1, max: 1, step: 1, value: 1, class: "number", "aria-label": "Weight of the stone, as a number" });
    this.turn = "";
    this.left = make("span", { class: "faint" });
    this.range.addEventListener("input", () => this.#tell(this.range.value));
    this.number.addEventListener("change", () => this.#tell(this.number.value));
  }

  connectedCallback() {
    this.hidden = true;
    this.replaceChildren(make("label", { for: "next-weight" }, "Weight of the stone"), this.range, this.number, this.left);
  }

  /** @param {Snapshot} snapshot */
  show({ rules, weight_left: left, to_move: seat, can_move: mine, moves }) {
    const units = seat === null ? null : left?.[seat];
    this.hidden = !units || !mine;
    if (!units || !mine) return;
    const placed = moves.filter((move) => move.seat === seat).length;
    const later = Number(rules.stones) - placed - 1;
    this.range.max = this.number.max = String(units);
    setText(this.left, `of ${units}, for ${later + 1} ${later ? "stones" : "stone"}`);
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
