/** Moves that a player types, or says to the device: `601 372`, the number of a vertex, or the numbers of two dots. */
import { need, setText } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { Move } from "../base/types.js" */
/** @typedef {{ least: number, most: number, how: string, such: string }} Typing  how many whole numbers a move has, what they are, and an example */

/** The numbers of a move in a text; if they do not fit, a message that says what to type. @param {string} text @param {Typing} typing @returns {Move | string} */
export function readMove(text, { least, most, how }) {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const isNegative = /(^|[^\d\s])\s*-\s*\d/.test(text.trim());
  const fits = numbers.length >= least && numbers.length <= most && numbers.every(Number.isSafeInteger);
  return fits && !isNegative ? numbers : t("Type {how}", { how });
}

export class TypedMove {
  /** @param {Typing} typing @param {string} verb  on the button @param {(move: Move) => void} place */
  constructor(typing, verb, place) {
    this.form = need("[data-typed]");
    this.input = /** @type {HTMLInputElement} */ (need("input", this.form));
    this.fault = need("[role=alert]", this.form);
    setText(need("button", this.form), verb);
    this.input.placeholder = typing.such;
    this.input.setAttribute("aria-label", t("Type a move: {how}", { how: typing.how }));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const move = readMove(this.input.value, typing);
      this.refuse(typeof move === "string" ? move : "");
      if (typeof move !== "string") place(move);
    });
  }

  /** @param {boolean} isOpen  whether this browser may move now @param {number} ply */
  show(isOpen, ply) {
    this.form.hidden = !isOpen && document.activeElement !== this.input;
    if (this.form.dataset.ply === String(ply)) return;
    this.form.dataset.ply = String(ply);
    this.input.value = "";
    this.refuse("");
  }

  /** @param {string} words */
  refuse(words) {
    setText(this.fault, words);
  }
}
