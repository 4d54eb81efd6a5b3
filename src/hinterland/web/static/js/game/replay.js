/**
 * The move that a replay shows: the latest, or an earlier one.
 */

const FRAME_MS = 800;
/** @type {Record<string, Step>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

/** @typedef {"first" | "back" | "play" | "on" | "last"} Step */

export class Replay extends EventTarget {
  constructor() {
    super();
    this.length = 0;
    /** @type {number | null} null: follow the latest */
    this.held = numberIn(location.hash);
    this.timer = 0;
    addEventListener("hashchange", () => this.turnTo(numberIn(location.hash) ?? this.length));
  }

  get ply() {
    return this.held === null ? this.length : Math.min(this.held, this.length);
  }

  get isLatest() {
    return this.ply === this.length;
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /** Set the number of moves. @param {number} length */
  extend(length) {
    this.length = length;
    if (this.held !== null && this.held >= length) this.#hold(null);
  }

  /** Stop playing back, and show the position after `ply` moves. @param {number} ply */
  turnTo(ply) {
    this.#pause();
    this.#go(ply);
  }

  /** @param {Step} step */
  take(step) {
    if (step !== "play") return this.turnTo({ first: 0, back: this.ply - 1, on: this.ply + 1, last: this.length }[step]);
    if (this.isPlaying) this.#pause();
    else if (this.length) this.#play();
    return this.renew();
  }

  /** Show the current move again. */
  renew() {
    this.dispatchEvent(new Event("turn"));
  }

  /** @param {number} ply */
  #go(ply) {
    const wanted = Math.max(0, Math.min(this.length, ply));
    this.#hold(wanted === this.length ? null : wanted);
    this.renew();
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  #play() {
    if (this.isLatest) this.#hold(0);
    this.timer = window.setInterval(() => {
      if (this.ply + 1 >= this.length) this.#pause();
      this.#go(this.ply + 1);
    }, FRAME_MS);
  }

  /** @param {number | null} ply */
  #hold(ply) {
    this.held = ply;
    const hash = ply === null ? location.pathname + location.search : `#${ply}`;
    if (numberIn(location.hash) !== ply) history.replaceState(null, "", hash);
  }
}

/** @param {string} hash */
function numberIn(hash) {
  return /^#\d{1,6}$/.test(hash) ? Number(hash.slice(1)) : null;
}

/** Let arrow keys, Home, End and Space step through a replay, unless a field, a button or a dialog has the focus. @param {Replay} replay */
export function listenToKeys(replay) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS) || isTaken(event)) return;
    replay.take(KEYS[event.key]);
    event.preventDefault();
  });
}

/** @param {KeyboardEvent} event */
function isTaken({ target, key }) {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("input, select, textarea") || (key === " " && target.closest("button, a, summary, label") !== null);
}
