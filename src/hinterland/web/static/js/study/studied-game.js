/** A game under study on the server: a game of the arena, or an opened game file that is kept there for a while. */
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

  /** The expected end of a variation. @param {Line} line @param {AbortSignal} signal */
  expect = (line, signal) => this.#asked(() => expectEnd(this.url, line, signal));

  /** Its record with a study in it, as a file. @param {Study} study */
  withStudy = (study) => this.#asked(() => downloadStudy(this.url, study));

  /** Ask; if the server has forgotten the game file, send it again first. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
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
