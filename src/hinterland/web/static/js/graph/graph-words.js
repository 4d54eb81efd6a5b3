/** What the board says, written or read out. */
import { counted, gained, listed, percent } from "../base/format.js";

/** @import { Move } from "../base/types.js" */

/** @param {Move} move */
export const moveText = ([vertex]) => `vertex ${vertex}`;

/** @param {string} vertex @param {number} token */
export const takenText = (vertex, token) => `vertex ${vertex} already holds token ${token}`;

/**
 * What a token takes and from whom: `+123 · takes 45 from Ann`.
 * @param {{ gain: number, lost: number[] }} taken @param {string[]} names
 */
export function gainText({ gain, lost }, names) {
  const losses = lost.flatMap((value, seat) => (value ? [`${counted(value)} from ${names[seat]}`] : []));
  return losses.length ? `${gained(gain)} · takes ${listed(losses)}` : gained(gain);
}

/** Whose a vertex is. @param {number} owner @param {number | null} viewer  the seat that may place now @param {string[]} names */
export function ownerText(owner, viewer, names) {
  if (owner < 0) return "nobody’s";
  return owner === viewer ? "yours" : `${names[owner]}’s`;
}

/** @param {string} vertex @param {number} value @param {string} owner */
export const vertexText = (vertex, value, owner) => `vertex ${vertex} · value ${counted(value)}${owner === "nobody’s" ? "" : ` · ${owner}`}`;

/** A vertex for those who do not see it. @param {string} vertex @param {number} value @param {string} owner @param {number} token */
export function vertexLabel(vertex, value, owner, token) {
  return `vertex ${vertex}, value ${counted(value)}, ${token ? `token ${token}, ` : ""}${owner}`;
}

/**
 * The board in one sentence.
 * @param {number} vertices @param {number} ply @param {string[]} names @param {number[]} scores @param {number} total
 */
export function boardLabel(vertices, ply, names, scores, total) {
  const board = `Board of ${counted(vertices)} vertices`;
  if (!ply) return `${board}, empty`;
  return `${board} after move ${ply}: ${listed(names.map((name, seat) => `${name} ${percent(scores[seat] ?? 0, total)}`))}`;
}
