/** The film's scrubber: a range whose track is the history of the areas. */
import { need, needButton, setText } from "./dom.js";
import { shareTrack } from "./charts.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./film.js").Film} Film */

export class Scrubber {
  /** @param {HTMLElement} place @param {Film} film */
  constructor(place, film) {
    this.place = place;
    this.film = film;
    this.range = /** @type {HTMLInputElement} */ (need("input[type=range]", place));
    this.known = "";
    this.range.addEventListener("input", () => {
      film.pause();
      film.go(Number(this.range.value));
    });
    this.#button("first", () => film.step(-film.length));
    this.#button("back", () => film.step(-1));
    this.#button("play", () => film.toggle());
    this.#button("on", () => film.step(1));
    this.#button("last", () => film.step(film.length));
  }

  /** @param {string} name @param {() => void} act */
  #button(name, act) {
    need(`[data-film=${name}]`, this.place).addEventListener("click", act);
  }

  /** @param {Snapshot} snapshot @param {number} total */
  show({ moves, seats }, total) {
    const { film, range, place } = this;
    const key = moves.map(({ scores }) => scores.join()).join(";");
    if (key !== this.known) {
      this.known = key;
      const history = [seats.map(() => 0), ...moves.map(({ scores }) => scores)];
      need(".track-place", place).replaceChildren(shareTrack(history, total));
    }
    range.max = String(film.length);
    range.value = String(film.ply);
    range.disabled = film.length === 0;
    range.setAttribute("aria-valuetext", `after move ${film.ply} of ${film.length}`);
    place.style.setProperty("--at", String(film.length ? film.ply / film.length : 1));
    setText(need(".film-ply", place), `${film.ply} / ${film.length}`);
    const play = needButton("[data-film=play]", place);
    play.setAttribute("aria-label", film.isPlaying ? "Pause" : "Play like a film");
    play.classList.toggle("playing", film.isPlaying);
    for (const [name, off] of /** @type {[string, boolean][]} */ ([["first", film.ply === 0], ["back", film.ply === 0], ["on", film.isLatest], ["last", film.isLatest]])) {
      needButton(`[data-film=${name}]`, place).disabled = off;
    }
  }
}
