/** The base path of the arena. */

/** Path of the arena on its host; empty if it has the host to itself. */
const base = document.documentElement.dataset.base ?? "";

/** The full address of a path such as "/games". @param {string} path */
export const urlOf = (path) => `${base}${path}`;
