/** Asks the server, and keeps the keys that let this browser move. */

/** @import { Rules } from "./types.js" */
/** @typedef {{ kind: "person", name: string } | { kind: "program", player: string }} SeatRequest */
/** @typedef {{ budget: number | null, increment?: number, move?: number | null } | null} ClockRequest */
/** @typedef {{ game: string, rules?: Rules, like?: string, seats: SeatRequest[], clock: ClockRequest, seed: number | null }} GameRequest */

/** A request the server refused, in its own words. */
export class Refused extends Error {}

/** Why a request failed, in words. @param {unknown} error @param {string} otherwise  if the server did not say */
export const reasonOf = (error, otherwise) => (error instanceof Refused ? error.message : otherwise);

/** Leave the page; nothing that waits for this goes on. @param {string} url @returns {Promise<never>} */
export function leaveFor(url) {
  location.assign(url);
  return new Promise(() => {});
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<any>} */
async function ask(url, init) {
  const response = await fetch(url, init).catch(() => {
    throw new Refused("the server does not answer; try again in a moment");
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(body.error ?? body.detail ?? `the server answered ${response.status}`);
  return body;
}

/** @param {string} url */
export const get = (url) => ask(url, { headers: { Accept: "application/json" } });

/** @param {string} url @param {object} body */
function post(url, body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return ask(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The board of some rules, before it is played on. @param {string} game @param {Rules} rules @returns {Promise<{ rules: Rules, drawing_data: unknown }>} */
export const tryBoard = (game, rules) => post("/api/boards", { game, rules });

/** Start a game, keep its key, and return its address. @param {GameRequest} request @returns {Promise<string>} */
export async function startGame(request) {
  const { id, key, url } = await post("/api/games", request);
  keep(`hinterland.key.${id}`, key);
  return url;
}

/** The key that this browser holds, if it does. @param {"key" | "seat" | "table"} kind  of a game, a seat, a table @param {string} id */
export const keyOf = (kind, id) => kept(`hinterland.${kind}.${id}`) || null;

/** Open a table for programs, keep its key, and return its address. @param {object} request @returns {Promise<string>} */
export async function openTable(request) {
  const { id, key, url, tokens } = await post("/api/tables", request);
  keep(`hinterland.table.${id}`, key);
  if (Object.keys(tokens).length) keep(`hinterland.tokens.${id}`, JSON.stringify(tokens));
  return url;
}

/** Take a seat at a table, keep its key, and return it. @param {string} id @param {string} name @returns {Promise<string>} */
export async function takeSeat(id, name) {
  const { key } = await post(`/api/tables/${id}/seat`, { name });
  keep(`hinterland.seat.${id}`, key);
  return key;
}

/** Give a seat up before the match begins: no key is left. @param {string} id @returns {Promise<null>} */
export async function leaveSeat(id) {
  await post(`/api/tables/${id}/leave`, { key: keyOf("seat", id) ?? "" });
  keep(`hinterland.seat.${id}`, "");
  return null;
}

/** Close a table that this browser opened. @param {string} id */
export const closeTable = (id) => post(`/api/tables/${id}/close`, { key: keyOf("table", id) ?? "" });

/** The tokens of a table that this browser opened: name -> token. @param {string} id @returns {Record<string, string>} */
export const tokensOf = (id) => JSON.parse(kept(`hinterland.tokens.${id}`) ?? "{}");

/** Where a WebSocket of this server is. @param {string} path */
export const socketUrl = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;

/** Storage may be switched off: then nothing is kept. @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing can still play until the page is left.
  }
}

/** @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
