/**
 * The live connection of a page to one game.
 *
 * Every snapshot is whole, so resuming is nothing but connecting again. Retries back off to MAX_WAIT_MS and start at
 * once when the browser comes back online or the page is looked at again. Silence is a lost connection too: the server
 * pings, so nothing heard for SILENCE_MS means that nobody is there.
 *
 * Who holds no key watches: that connection is opened at an address of its own, which a proxy may send to another process.
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

  /** Use another key from now on. @param {string | null} key */
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
    if (this.closed) return; // each listener has been called
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
