/** Asks the server, and keeps the keys that let this browser move. */

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {{ kind: "person", name: string } | { kind: "program", player: string }} SeatWish */
/** @typedef {{ budget: number | null, increment?: number, move?: number | null } | null} ClockWish */
/** @typedef {{ game: string, rules?: Rules, like?: string, seats: SeatWish[], clock: ClockWish, seed: number | null }} GameWish */

/** A request the server refused, in its own words. */
export class Refused extends Error {}

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

/** @param {string} url @param {object} body @param {RequestInit} [more] */
function post(url, body, more) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return ask(url, { method: "POST", headers, body: JSON.stringify(body), ...more });
}

/**
 * The board of some rules, before it is played on.
 * @param {string} game @param {Rules} rules @param {AbortSignal} signal @returns {Promise<{ rules: Rules, drawing_data: unknown }>}
 */
export const tryBoard = (game, rules, signal) => post("/api/boards", { game, rules }, { signal });

/** Start a game, keep its key, and return its address. @param {GameWish} wish @returns {Promise<string>} */
export async function startGame(wish) {
  const { id, key, url } = await post("/api/games", wish);
  keep(`hinterland.key.${id}`, key);
  return url;
}

/** @param {string} id */
export const keyOf = (id) => kept(`hinterland.key.${id}`);

/** Open a table for programs, keep its key, and return its address. @param {object} wish @returns {Promise<string>} */
export async function openTable(wish) {
  const { id, key, url } = await post("/api/tables", wish);
  keep(`hinterland.table.${id}`, key);
  return url;
}

/** Close a table that this browser opened. @param {string} id */
export const closeTable = (id) => post(`/api/tables/${id}/close`, { key: tableKeyOf(id) ?? "" });

/** @param {string} id */
export const tableKeyOf = (id) => kept(`hinterland.table.${id}`);

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
