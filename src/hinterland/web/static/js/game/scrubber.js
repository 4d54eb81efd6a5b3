/** The scrubber of a replay: a range whose track is the history of the areas. */
import { need, onClick, setText } from "../base/dom.js";
import { t } from "../base/words.js";
import { shareTrack } from "../board/charts.js";
import { historyOf } from "./snapshot.js";

/** @import { Snapshot } from "../base/types.js" */
/** @import { Replay, Step } from "./replay.js" */

export class Scrubber {
  /** @param {HTMLElement} place @param {Replay} replay */
  constructor(place, replay) {
    this.place = place;
    this.replay = replay;
    this.range = /** @type {HTMLInputElement} */ (need("input[type=range]", place));
    this.known = "";
    this.range.addEventListener("input", () => replay.turnTo(Number(this.range.value)));
    onClick(place, "step", (step) => replay.take(/** @type {Step} */ (step)));
  }

  /** @param {Snapshot} snapshot @param {number} total */
  show(snapshot, total) {
    const { replay, range, place } = this;
    const history = historyOf(snapshot);
    const key = history.join(";");
    if (key !== this.known) need(".track-place", place).replaceChildren(shareTrack(history, total));
    this.known = key;
    range.max = String(replay.length);
    range.value = String(replay.ply);
    range.disabled = replay.length === 0;
    range.setAttribute("aria-valuetext", t("after move {number} of {count}", { number: replay.ply, count: replay.length }));
    place.style.setProperty("--at", String(replay.length ? replay.ply / replay.length : 1));
    setText(need(".replay-ply", place), `${replay.ply} / ${replay.length}`);
    const button = (/** @type {Step} */ step) => /** @type {HTMLButtonElement} */ (need(`[data-step=${step}]`, place));
    button("play").setAttribute("aria-label", replay.isPlaying ? t("Pause") : t("Play it back"));
    button("play").classList.toggle("playing", replay.isPlaying);
    button("first").disabled = button("back").disabled = replay.ply === 0;
    button("on").disabled = button("last").disabled = replay.isLatest;
  }
}
