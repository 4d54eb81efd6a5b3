/** Sends requests to the server, and stores the keys that let this browser move. */
import { make } from "./dom.js";
import { sentence } from "./format.js";
import { urlOf } from "./place.js";
import { t } from "./words.js";

/** @import { Rules } from "./types.js" */
/** @typedef {{ kind: "person", name: string } | { kind: "program", player: string }} SeatRequest */
/** @typedef {{ budget: number | null, increment?: number, move?: number | null } | null} ClockRequest */
/** @typedef {{ game: string, rules?: Rules, like?: string, seats: SeatRequest[], clock: ClockRequest, seed: number | null }} GameRequest */

/** A request that the server refused; the message is the server's own. */
export class Refused extends Error {
  /** @param {string} message @param {number} [status]  0 if no answer came */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** Why a request failed, in words. @param {unknown} error @param {string} otherwise  if the server did not say */
export const reasonOf = (error, otherwise) => (error instanceof Refused ? error.message : otherwise);

/** Leave the page for `url`. The returned promise never resolves, so no code that awaits it goes on. @param {string} url @returns {Promise<never>} */
export function leaveFor(url) {
  location.assign(urlOf(url));
  return new Promise(() => {});
}

const PREPARING_MS = 1000;
const preparing = make("p", { class: "banner", role: "status" });
let waiting = 0;

/** Fetch an answer. If the server still has to compile for the answer, show its progress and ask again. @param {string} url @param {RequestInit} [init] @returns {Promise<Response>} */
export async function fetchPrepared(url, init) {
  waiting += 1;
  try {
    for (;;) {
      const response = await fetch(urlOf(url), init);
      const { error, percent } = response.status === 503 ? await response.clone().json().catch(() => ({})) : {};
      if (percent === undefined) return response;
      preparing.textContent = sentence(error);
      document.body.append(preparing);
      await new Promise((resolve) => setTimeout(resolve, PREPARING_MS));
    }
  } finally {
    waiting -= 1;
    if (!waiting) preparing.remove();
  }
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<Response>} */
async function answer(url, init) {
  const response = await fetchPrepared(url, init).catch(() => {
    throw new Refused(t("the server does not answer; try again in a moment"));
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Refused(body.error ?? body.detail ?? t("the server answered {status}", { status: response.status }), response.status);
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<any>} */
const ask = async (url, init) => (await answer(url, init)).json().catch(() => ({}));

/** @param {string} url */
export const get = (url) => ask(url, { headers: { Accept: "application/json" } });

/** @param {object} body @param {AbortSignal} [signal] @returns {RequestInit} */
function posted(body, signal) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
}

/** @param {string} url @param {object} body @param {AbortSignal} [signal] */
const post = (url, body, signal) => ask(url, posted(body, signal));

/** @typedef {{ name: string, content: Blob }} MadeFile  that the server made, and how it is called */

/** @param {string} url @param {RequestInit} [init] @returns {Promise<MadeFile>} */
async function made(url, init) {
  const response = await answer(url, init);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? ["", "game"];
  return { name, content: await response.blob() };
}

/** A picture or a video. @param {string} url @param {AbortSignal} signal */
export const download = (url, signal) => made(url, { headers: { Accept: "application/json" }, signal });

/** Download a file. @param {MadeFile} file */
export function saveFile({ name, content }) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Fetch the board that some rules describe, before a game is played on it. @param {string} game @param {Rules} rules @returns {Promise<{ rules: Rules, drawing_data: unknown }>} */
export const tryBoard = (game, rules) => post("/api/boards", { game, rules });

/** @typedef {{ ply: number, moves: number[][], best?: boolean }} Line  moves that branch off a finished game */

/** Let the server judge the moves of a variation. @param {string} url  of the game @param {Line} line */
export const judgeLine = (url, line) => post(`${url}/line`, line);

/** Fetch the scores with which a variation is expected to end. @param {string} url @param {Line} line @param {AbortSignal} signal */
export const expectEnd = (url, line, signal) => post(`${url}/expectation`, line, signal);

/** Download the record of a game with a study in it. @param {string} url @param {object} study */
export const downloadStudy = (url, study) => made(`${url}/record`, posted(study));

/** Open a game file for study: the server judges its game again. @param {string} text */
export const openRecord = (text) => ask("/api/studies", { method: "POST", headers: { "Content-Type": "text/plain", Accept: "application/json" }, body: text });

/** Start a game, keep its key, and return its address. @param {GameRequest} request @returns {Promise<string>} */
export async function startGame(request) {
  const { id, key, url } = await post("/api/games", request);
  keep(`hinterland.key.${id}`, key);
  return url;
}

/** The key to a game, a seat or a hosted match, if this browser holds it; else null. @param {"key" | "seat" | "table"} kind  table: a hosted match @param {string} id */
export const keyOf = (kind, id) => readKept(`hinterland.${kind}.${id}`) || null;

/** Address of a puzzle. @param {string} game @param {number} number */
const puzzleUrl = (game, number) => `/api/puzzles/${game}/${number}`;

/** Let the server judge an answer to a puzzle. @param {string} game @param {number} number @param {number[]} move @returns {Promise<any>} */
export const judgeAnswer = (game, number, move) => post(puzzleUrl(game, number), { move });

/** Fetch the best answer of a puzzle, and what it is worth. @param {string} game @param {number} number @returns {Promise<{ best: number[], worth: number }>} */
export const puzzleAnswer = (game, number) => get(`${puzzleUrl(game, number)}/answer`);

/** Open a hosted match, keep its key, and return its address. @param {object} request @returns {Promise<string>} */
export async function openMatch(request) {
  const { id, key, url, tokens } = await post("/api/tables", request);
  keep(`hinterland.table.${id}`, key);
  if (Object.keys(tokens).length) keep(`hinterland.tokens.${id}`, JSON.stringify(tokens));
  return url;
}

/** Take a seat in a match, keep its key, and return it. @param {string} id @param {string} name @returns {Promise<string>} */
export async function takeSeat(id, name) {
  const { key } = await post(`/api/tables/${id}/seat`, { name });
  keep(`hinterland.seat.${id}`, key);
  return key;
}

/** Make a challenge, keep the keys of the challenge and of the maker's seat, and return the challenge's address. @param {object} request @returns {Promise<string>} */
export async function makeChallenge(request) {
  const { id, key, url } = await post("/api/challenges", request);
  for (const kind of ["seat", "table"]) keep(`hinterland.${kind}.${id}`, key);
  return url;
}

/** Rename the person in this browser's seat, before the match begins. @param {string} id @param {string} name */
export const renameSeat = (id, name) => post(`/api/tables/${id}/name`, { key: keyOf("seat", id) ?? "", name });

/** Offer the free seats of a challenge to anybody, or only to people who have its link. @param {string} id @param {boolean} toAll */
export const offerToAll = (id, toAll) => post(`/api/tables/${id}/offer`, { key: keyOf("seat", id) ?? "", to_all: toAll });

/** Give up a seat before the match begins, and forget its key. @param {string} id @returns {Promise<null>} */
export async function leaveSeat(id) {
  await post(`/api/tables/${id}/leave`, { key: keyOf("seat", id) ?? "" });
  keep(`hinterland.seat.${id}`, "");
  return null;
}

/** Close a match that this browser opened. @param {string} id */
export const closeMatch = (id) => post(`/api/tables/${id}/close`, { key: keyOf("table", id) ?? "" });

/** The match that `hinterland referee --watch` plays now. @returns {Promise<{ id: string }>} */
export const currentMatch = () => get("/api/table");

/** The players' tokens in a match that this browser opened: name -> token. @param {string} id @returns {Record<string, string>} */
export const tokensOf = (id) => JSON.parse(readKept(`hinterland.tokens.${id}`) ?? "{}");

/** Address of a WebSocket of this server. @param {string} path */
export const socketUrl = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${urlOf(path)}`;

/** Storage in `window.name`, which lasts from page to page even if cookies and all storage are blocked. */
const TAB = "hinterland:";
const tab = {
  /** @returns {Record<string, string>} */
  all: () => (window.name.startsWith(TAB) ? JSON.parse(window.name.slice(TAB.length)) : {}),
  /** @param {string} name @returns {string | null} */
  getItem: (name) => tab.all()[name] ?? null,
  /** @param {string} name @param {string} value */
  setItem: (name, value) => void (window.name = TAB + JSON.stringify({ ...tab.all(), [name]: value })),
};
/** Kinds of storage, the best first; the first that works is used. Each is a function, because even reading `window.localStorage` may throw. */
const STORES = [() => localStorage, () => sessionStorage, () => tab];
let lastsWithTab = false;

/** Whether stored values are lost when the tab is closed, because the browser blocks storage. */
export const isLostWithTab = () => lastsWithTab;

/** Store a value for as long as the browser allows. @param {string} name @param {string} value */
export function keep(name, value) {
  const place = STORES.findIndex((store) => attempt(() => (store().setItem(name, value), store().getItem(name) === value)));
  lastsWithTab ||= place > 0;
}

/** @param {string} name @returns {string | null} */
export function readKept(name) {
  const values = STORES.map((store) => attempt(() => store().getItem(name)) ?? null);
  lastsWithTab ||= values[0] === null && values.some((value) => value);
  return values.find((value) => value !== null) ?? null;
}

/** Call a function, and return undefined if it throws: storage may be blocked, missing or full. @template T @param {() => T} work @returns {T | undefined} */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
