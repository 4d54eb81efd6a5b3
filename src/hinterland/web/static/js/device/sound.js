/** Synthesised sounds: a tone for each move, the higher the more it gains; a chime when the lead changes; a tick each second when time is short. They are off until switched on. */
import { keep, readKept } from "../base/api.js";

const KEPT = "hinterland.sound";
const LOUDNESS = 0.12;
const LOWEST_HZ = 220;
const OCTAVES = 2;
const TICK_HZ = 1200;
const CHIME_HZ = [659, 988];

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  #lastTick = -1;
  isOn = readKept(KEPT) === "on";

  /** Switch sound on or off. Browsers allow sound only after a click. */
  turn() {
    this.isOn = !this.isOn;
    keep(KEPT, this.isOn ? "on" : "off");
    if (this.isOn) this.stone(0.25);
  }

  /** @param {number} share  of the board that was gained, from 0 to 1 */
  stone(share) {
    this.#tone(LOWEST_HZ * 2 ** (OCTAVES * Math.sqrt(Math.min(1, Math.max(0, share)))), 0, 0.35);
  }

  /** The lead has changed. */
  lead() {
    CHIME_HZ.forEach((hertz, k) => this.#tone(hertz, 0.15 + 0.12 * k, 0.5));
  }

  /** Tick once a second. @param {number} leftMs */
  tick(leftMs) {
    const second = Math.ceil(leftMs / 1000);
    if (second === this.#lastTick) return;
    this.#lastTick = second;
    this.#tone(TICK_HZ, 0, 0.04);
  }

  /** @param {number} hertz @param {number} afterS @param {number} lastsS */
  #tone(hertz, afterS, lastsS) {
    if (!this.isOn) return;
    const context = (this.#context ??= new AudioContext());
    const from = context.currentTime + afterS;
    const gain = new GainNode(context, { gain: 0 });
    const source = new OscillatorNode(context, { type: "sine", frequency: hertz });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, from + lastsS);
    source.connect(gain).connect(context.destination);
    source.start(from);
    source.stop(from + lastsS);
  }
}
