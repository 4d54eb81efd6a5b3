/** A game that is studied, as the server knows it: one of its own, or a record that was brought and is kept there for a while. */
import { Refused, downloadStudy, expectEnd, judgeLine, openRecord } from "../base/api.js";

/** @import { Line } from "../base/api.js" */
/** @import { Study } from "./study-tree.js" */

export class StudiedGame {
  /** @param {string} url  where it is asked about @param {string | null} record  what was brought; null for a game of the arena's own */
  constructor(url, record = null) {
    this.url = url;
    this.record = record;
  }

  /** @param {Line} line */
  judge = (line) => this.#asked(() => judgeLine(this.url, line));

  /** How a line is expected to end. @param {Line} line @param {AbortSignal} signal */
  expect = (line, signal) => this.#asked(() => expectEnd(this.url, line, signal));

  /** Its record with a study in it, as a file. @param {Study} study */
  withStudy = (study) => this.#asked(() => downloadStudy(this.url, study));

  /** Ask, and where the server has forgotten the record, bring it again first. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
  async #asked(ask) {
    try {
      return await ask();
    } catch (error) {
      if (this.record === null || !(error instanceof Refused) || error.status !== 404) throw error;
      await openRecord(this.record);
      return ask();
    }
  }
}
