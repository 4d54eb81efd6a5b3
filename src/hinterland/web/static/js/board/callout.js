/** The words beside an aim: what the move would win, or why it is illegal. If nothing is aimed at, a refusal is shown in a note instead. */
import { make, setText } from "../base/dom.js";
import { sentence } from "../base/format.js";

const NOTE_MS = 4000;
const GAP = 10;
const EDGE = 4;
/** Possible positions of the words beside a point, as four factors: of the words' width to the right, of their height down, of the gap to the right, and of the gap down. The first of the positions that cover the fewest discs is used. */
const SIDES = [[0, 0, 1, 1], [0, -1, 1, -1], [-1, 0, -1, 1], [-1, -1, -1, -1], [-0.5, -1, 0, -1], [-0.5, 0, 0, 1], [0, -0.5, 1, 0], [-1, -0.5, -1, 0]];

/** @typedef {{ x: number, y: number, radius: number }} Disc  in CSS pixels */

export class Callout {
  constructor() {
    this.label = make("div", { class: "gain", hidden: true });
    /** Announces a refusal at once; visible only if no words stand beside an aim. */
    this.note = make("p", { class: "note", role: "alert" });
    this.timer = 0;
    this.anchor = { x: 0, y: 0, radius: 0, side: 0 };
    /** @type {Disc[]} what it should not cover */
    this.discs = [];
  }

  /** Place the words beside a disc, inside the board and, if possible, clear of other discs. @param {Disc} about @param {number} side  in CSS pixels @param {Disc[]} discs */
  show(about, side, discs) {
    this.label.hidden = false;
    this.anchor = { ...about, side };
    this.discs = [about, ...discs];
    this.#settle();
  }

  /** @param {string} words */
  say(words) {
    const told = sentence(words);
    if (this.label.textContent === told) return;
    setText(this.label, told);
    this.#settle();
  }

  #settle() {
    const { label, anchor } = this;
    if (label.hidden) return;
    const { x, y, radius, side } = anchor;
    const [wide, high] = [label.offsetWidth, label.offsetHeight];
    const within = (/** @type {number} */ at, /** @type {number} */ length) => Math.max(EDGE, Math.min(side - length - EDGE, at));
    const places = SIDES.map(([right, down, aside, below]) => {
      const away = aside && below ? GAP + 0.7 * radius : GAP + radius;
      return { left: within(x + right * wide + aside * away, wide), top: within(y + down * high + below * away, high) };
    });
    const covered = places.map(({ left, top }) => this.discs.filter((disc) => isOver(disc, left, top, wide, high)).length);
    const { left, top } = places[covered.indexOf(Math.min(...covered))];
    label.style.transform = `translate(${left}px, ${top}px)`;
  }

  /** @param {string} message */
  refuse(message) {
    const beside = !this.label.hidden;
    if (beside) this.say(message);
    this.label.classList.toggle("error", beside);
    this.note.classList.toggle("shown", !beside);
    setText(this.note, sentence(message));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.forget(), NOTE_MS);
  }

  /** Clear an earlier refusal. */
  forget() {
    clearTimeout(this.timer);
    this.label.classList.remove("error");
    this.note.classList.remove("shown");
    setText(this.note, "");
  }
}

/** Whether a box overlaps a disc. @param {Disc} disc @param {number} left @param {number} top @param {number} wide @param {number} high */
function isOver({ x, y, radius }, left, top, wide, high) {
  const [dx, dy] = [x - Math.max(left, Math.min(x, left + wide)), y - Math.max(top, Math.min(y, top + high))];
  return Math.hypot(dx, dy) < radius + 2;
}
