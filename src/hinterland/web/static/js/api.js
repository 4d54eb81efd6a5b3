/** Asks the server, and keeps the keys that let this browser move. */

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {{ kind: "person", name: string } | { kind: "program", player: string }} SeatWish */
/** @typedef {{ budget: number | null, increment?: number, move?: number | null } | null} ClockWish */
/** @typedef {{ game: string, rules: Rules, seats: SeatWish[], clock: ClockWish, seed: number | null }} GameWish */

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

/** Start a game, keep its key, and return its address. @param {GameWish} wish @returns {Promise<string>} */
export async function startGame(wish) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const { id, key, url } = await ask("/api/games", { method: "POST", headers, body: JSON.stringify(wish) });
  keep(`hinterland.key.${id}`, key);
  return url;
}

/** @param {string} id */
export const keyOf = (id) => kept(`hinterland.key.${id}`);

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
