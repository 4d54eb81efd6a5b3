/**
 * A question to the server. Only the answer to the newest question counts.
 *
 * A question is sent after a short delay: a viewer who steps quickly through a game asks about one position, not about
 * all. Until its answer comes, `box` is shown as busy.
 */
export class Question {
  /** @param {HTMLElement} box  what is busy @param {number} waitMs */
  constructor(box, waitMs) {
    this.box = box;
    this.waitMs = waitMs;
    /** Key of the current question; empty for none. */
    this.about = "";
    this.timer = 0;
  }

  /**
   * @template T
   * @param {string} about key of the question; empty: ask nothing @param {() => Promise<T>} [answer]
   * @param {{ asked?(): void, answered?(answer: T): void, failed?(error: unknown): void }} [listener]
   */
  ask(about, answer, { asked, answered, failed } = {}) {
    if (about === this.about) return;
    this.about = about;
    asked?.();
    clearTimeout(this.timer);
    this.box.setAttribute("aria-busy", String(about !== ""));
    const heed = (/** @type {() => void} */ act) => {
      if (about !== this.about) return;
      this.box.setAttribute("aria-busy", "false");
      act();
    };
    const begin = () => answer?.().then((told) => heed(() => answered?.(told)), (error) => heed(() => failed?.(error)));
    if (about) this.timer = window.setTimeout(begin, this.waitMs);
  }
}
