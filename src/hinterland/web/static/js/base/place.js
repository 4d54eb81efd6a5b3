/** Where the arena is on its host. */

/** The path below which it lives, empty where it has the host to itself; every page says it. */
const base = document.documentElement.dataset.base ?? "";

/** An address of the arena, such as "/games", as a browser needs it. @param {string} path */
export const urlOf = (path) => `${base}${path}`;
