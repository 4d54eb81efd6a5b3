/** Plays the sounds of a game, and switches them on and off by a button and a key. */
import { buttonOf } from "../base/dom.js";
import { Sound } from "../device/sound.js";
import { historyOf } from "./snapshot.js";

/** @import { Snapshot } from "../base/types.js" */
/** @import { Reading } from "./snapshot.js" */

const KEY = "m";

export class WhatSounds {
  #sound = new Sound();
  #button = buttonOf("sound");

  constructor() {
    this.#button.addEventListener("click", () => this.#turn());
    document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey, target }) => {
      const isTyped = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (key === KEY && !ctrlKey && !metaKey && !altKey && !isTyped) this.#turn();
    });
    this.#mark();
  }

  /** Play the sound of the latest move, if it is new. @param {Snapshot} before @param {Snapshot} now @param {number} total */
  heard(before, now, total) {
    if (now.moves.length <= before.moves.length) return;
    const [earlier, latest] = historyOf(now).slice(-2);
    const { seat } = now.moves[now.moves.length - 1];
    this.#sound.stone((latest[seat] - earlier[seat]) / total);
    if (leaderOf(earlier) !== leaderOf(latest) && now.moves.length > now.seats.length) this.#sound.lead();
  }

  /** @param {Snapshot} snapshot @param {Reading[]} readings */
  tick({ seats }, readings) {
    const mine = readings.find(({ urgent }, k) => urgent && seats[k].mine);
    if (mine) this.#sound.tick(mine.ms);
  }

  #turn() {
    this.#sound.turn();
    this.#mark();
  }

  #mark() {
    this.#button.setAttribute("aria-pressed", String(this.#sound.isOn));
  }
}

/** @param {number[]} scores */
const leaderOf = (scores) => scores.indexOf(Math.max(...scores));
