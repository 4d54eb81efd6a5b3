/**
 * The live connection of a page to one game.
 *
 * Every snapshot holds the whole state, so a page resumes by connecting again. The wait before each retry doubles, up
 * to MAX_WAIT_MS; when the browser comes back online or the page is shown again, the page connects at once. The server
 * sends pings, so a connection on which nothing arrives for SILENCE_MS counts as lost.
 *
 * A browser without a key only watches, and connects to another address, so that a proxy can send such viewers to
 * another process.
 *
 * Events: `snapshot` (detail: the snapshot), `refused` (detail: words), `link` (detail: { open, retryMs, reason }).
 */

import { socketUrl } from "../base/api.js";
import { t } from "../base/words.js";

/** @typedef {{ open: boolean, retryMs: number, reason: string }} Link */

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
const SILENCE_MS = 40_000;

export class LiveConnection extends EventTarget {
  /** @param {string} path @param {string | null} key */
  constructor(path, key) {
    super();
    this.path = path;
    this.key = key;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.waitMs = FIRST_WAIT_MS;
    this.retry = 0;
    this.silence = 0;
    this.closed = false;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
  }

  open() {
    clearTimeout(this.retry);
    const path = this.key === null ? `/watch${this.path}` : this.path;
    const socket = new WebSocket(`${socketUrl(path)}?language=${document.documentElement.lang}`);
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", key: this.key })));
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.#heard(JSON.parse(data)));
    socket.addEventListener("close", ({ reason }) => socket === this.socket && this.#lost(reason));
    this.#listen();
  }

  /** Connect again with another key, or with none. @param {string | null} key */
  become(key) {
    this.key = key;
    const { socket } = this;
    this.open();
    socket?.close();
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket?.close();
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.#tell("refused", t("not connected; nothing was sent"));
  }

  /** @param {{ type: string, message?: string }} message */
  #heard(message) {
    this.#listen();
    if (message.type === "error") this.#tell("refused", message.message);
    if (message.type !== "snapshot") return;
    this.waitMs = FIRST_WAIT_MS;
    this.#tell("link", { open: true, retryMs: 0, reason: "" });
    this.#tell("snapshot", message);
  }

  #listen() {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.#lost(), SILENCE_MS);
  }

  /** @param {string} [reason]  the server's, if it said why */
  #lost(reason = "") {
    if (this.closed) return;
    clearTimeout(this.silence);
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.#tell("link", { open: false, retryMs: this.waitMs, reason });
    if (this.closed) return; // a listener of `link` may have closed this connection
    this.retry = window.setTimeout(() => this.open(), this.waitMs);
    this.waitMs = Math.min(MAX_WAIT_MS, 2 * this.waitMs);
  }

  #hurry() {
    if (!this.socket && !this.closed) this.open();
  }

  /** @param {string} type @param {unknown} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
