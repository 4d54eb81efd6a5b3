/** The words beside an aim: what it would take, or why it may not; and the words where nothing is aimed at. */
import { make, setText } from "../base/dom.js";

const NOTE_MS = 4000;
const ASIDE = 22;
const BELOW = 10;
const EDGE = 4;

export class Callout {
  constructor() {
    this.label = make("div", { class: "gain", hidden: true });
    /** Spoken at once; seen only where no aim is shown that could carry the words. */
    this.note = make("p", { class: "note", role: "alert" });
    this.timer = 0;
    this.anchor = { x: 0, y: 0, side: 0 };
  }

  /** Stand beside a point of a board, inside of it. @param {number} x @param {number} y @param {number} side  in CSS pixels */
  show(x, y, side) {
    this.label.hidden = false;
    this.anchor = { x, y, side };
    this.#settle();
  }

  /** @param {string} words */
  say(words) {
    if (this.label.textContent === words) return;
    setText(this.label, words);
    this.#settle();
  }

  #settle() {
    const { label, anchor } = this;
    if (label.hidden) return;
    const { x, y, side } = anchor;
    const [wide, high] = [label.offsetWidth, label.offsetHeight];
    const right = x + ASIDE + wide + EDGE <= side ? x + ASIDE : x - ASIDE - wide;
    const down = y + BELOW + high + EDGE <= side ? y + BELOW : y - BELOW - high;
    label.style.transform = `translate(${Math.max(EDGE, Math.min(side - wide - EDGE, right))}px, ${Math.max(EDGE, down)}px)`;
  }

  /** @param {string} message */
  refuse(message) {
    const beside = !this.label.hidden;
    if (beside) this.say(message);
    this.label.classList.toggle("error", beside);
    this.note.classList.toggle("shown", !beside);
    setText(this.note, message);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.forget(), NOTE_MS);
  }

  /** Take an earlier refusal back. */
  forget() {
    clearTimeout(this.timer);
    this.label.classList.remove("error");
    this.note.classList.remove("shown");
    setText(this.note, "");
  }
}
