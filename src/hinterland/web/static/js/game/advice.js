/** Advice about the current position: a hint on request, and a heat map. */
import { get, reasonOf } from "../base/api.js";
import { buttonOf, need, onPress, whileBusy } from "../base/dom.js";
import { Question } from "../base/question.js";
import { t } from "../base/words.js";

/** @import { BoardElement } from "../base/types.js" */
/** @import { Replay } from "./replay.js" */

const HEAT_AFTER_MS = 120;

export class Advice {
  /** @param {string} url  of the game @param {BoardElement} board @param {Replay} replay */
  constructor(url, board, replay) {
    this.url = url;
    this.board = board;
    this.replay = replay;
    this.heat = /** @type {HTMLInputElement} */ (need("input[name=heat]"));
    this.heatMap = new Question(/** @type {HTMLElement} */ (this.heat.closest("label")), HEAT_AFTER_MS);
    this.heat.addEventListener("change", () => this.#showHeat());
    onPress("hint", () => this.#hint());
  }

  /** @param {boolean} isHad  whether it can be asked for now */
  show(isHad) {
    buttonOf("hint").disabled = this.heat.disabled = !isHad;
    this.#showHeat();
  }

  #query() {
    return new URLSearchParams({ ply: String(this.replay.ply), ...this.board.parameters?.() }).toString();
  }

  #showHeat() {
    const url = this.heat.checked && !this.heat.disabled ? `${this.url}/heat.png?${this.#query()}` : "";
    this.heatMap.ask(url, () => this.board.overlay(url), {
      asked: () => this.board.overlay(null),
      failed: () => this.board.refuse(t("the heat map could not be drawn")),
    });
  }

  #hint() {
    const asked = this.replay.ply;
    whileBusy(buttonOf("hint"), async () => {
      const hint = await get(`${this.url}/hint?${this.#query()}`).catch((error) => this.board.refuse(reasonOf(error, t("the hint could not be loaded"))));
      if (hint && asked === this.replay.ply) this.board.suggest(hint);
    });
  }
}
