/** The stone that is not placed yet: where it would lie, what it would take, and why it may not. */
import { make, setText } from "../dom.js";

/** @typedef {import("./aiming.js").Spot} Spot */
/** @typedef {{ side: number, size: number, radius: number, spacing: number, seat: number }} Place  lengths in CSS pixels */

const NOTE_MS = 4000;

export class Ghost {
  constructor() {
    this.stone = make("div", { class: "ghost", hidden: true });
    this.label = make("div", { class: "gain", hidden: true });
    /** Spoken at once; seen only where no stone is aimed at that could carry the words. */
    this.note = make("p", { class: "note", role: "alert" });
    this.timer = 0;
  }

  hide() {
    this.stone.hidden = this.label.hidden = true;
  }

  /** @param {Spot} spot @param {Place} place */
  show({ row, col, source }, { side, size, radius, spacing, seat }) {
    const { stone, label } = this;
    const x = ((col + 0.5) * side) / size;
    const y = ((row + 0.5) * side) / size;
    stone.hidden = label.hidden = false;
    stone.className = `ghost seat-${seat} by-${source}`;
    stone.style.setProperty("--radius", `${radius}px`);
    stone.style.setProperty("--spacing", `${spacing}px`);
    stone.style.transform = `translate(${x}px, ${y}px)`;
    const right = x > side - 190 ? "calc(-100% - 22px)" : "22px";
    const down = y > side - 48 ? "calc(-100% - 10px)" : "10px";
    label.style.transform = `translate(${x}px, ${y}px) translate(${right}, ${down})`;
  }

  /** @param {string} words */
  say(words) {
    setText(this.label, words);
  }

  /** @param {boolean} sent  and not yet answered */
  wait(sent) {
    this.stone.classList.toggle("pending", sent);
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
