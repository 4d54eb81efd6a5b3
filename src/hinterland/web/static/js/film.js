/**
 * Which move of a game is looked at: the latest, or an earlier one while stepping through it.
 *
 * The number of an earlier move stands in the address (`#12`), so that a link leads to it. Event: `turn`.
 */

const FRAME_MS = 800;

export class Film extends EventTarget {
  constructor() {
    super();
    this.length = 0;
    /** @type {number | null} null: follow the latest */
    this.held = numberIn(location.hash);
    this.timer = 0;
    addEventListener("hashchange", () => this.#read());
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

  /** The game has this many moves now. @param {number} length */
  extend(length) {
    this.length = length;
    if (this.held !== null && this.held >= length) this.#hold(null);
  }

  /** @param {number} ply */
  go(ply) {
    const wanted = Math.max(0, Math.min(this.length, ply));
    this.#hold(wanted === this.length ? null : wanted);
    this.dispatchEvent(new Event("turn"));
  }

  /** @param {number} count */
  step(count) {
    this.pause();
    this.go(this.ply + count);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.#play();
    this.dispatchEvent(new Event("turn"));
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  #play() {
    if (!this.length) return;
    if (this.isLatest) this.#hold(0);
    this.timer = window.setInterval(() => {
      if (this.ply + 1 >= this.length) this.pause();
      this.go(this.ply + 1);
    }, FRAME_MS);
  }

  /** @param {number | null} ply */
  #hold(ply) {
    this.held = ply;
    const hash = ply === null ? location.pathname + location.search : `#${ply}`;
    if (numberIn(location.hash) !== ply) history.replaceState(null, "", hash);
  }

  #read() {
    const ply = numberIn(location.hash);
    this.pause();
    this.go(ply ?? this.length);
  }
}

/** @param {string} hash */
function numberIn(hash) {
  return /^#\d{1,6}$/.test(hash) ? Number(hash.slice(1)) : null;
}

/** The keys of a film: arrows, Home, End, Space; not while something is typed, pressed or asked. @param {Film} film */
export function listenToKeys(film) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    if (event.key === "ArrowLeft") film.step(-1);
    else if (event.key === "ArrowRight") film.step(1);
    else if (event.key === "Home") film.step(-film.length);
    else if (event.key === "End") film.step(film.length);
    else if (event.key === " ") film.toggle();
    else return;
    event.preventDefault();
  });
}

/** @param {KeyboardEvent} event */
function isTaken({ target, key }) {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("input, select, textarea")) return true;
  return key === " " && target.closest("button, a, summary, label") !== null;
}
