/** The texts that the board of a graph shows, or announces to screen readers. */
import { formatNumber, formatGain, formatList, shares } from "../base/format.js";
import { t } from "../base/words.js";

/** @import { Lesson, Move } from "../base/types.js" */

/** @type {Lesson} */
export const LESSON = [
  [t("Claiming"), t("A token claims every vertex that is nearer to it, along the edges, than to any other token. Larger vertices are worth more. Click one.")],
  [t("Ties"), t("Where two tokens are equally near, the vertex stays with the one that was placed first. Point at a vertex to see what a token there would gain.")],
  [t("Stealing ground"), t("Place a token between one of your rival’s tokens and its vertices: you take every vertex that is nearer to you now. Find the biggest number.")],
  [t("The last move"), t("Nobody can answer the last token, so it is worth more than any other. In a match you play twice, so each of you gets it once.")],
];

/** @param {Move} move */
export const moveText = ([vertex]) => t("vertex {vertex}", { vertex });

/** @param {string} vertex @param {number} token */
export const takenText = (vertex, token) => t("vertex {vertex} already holds token {token}", { vertex, token });

/**
 * What a token gains, and how much of this gain each player loses: `+123 · takes 45 from Ann`.
 * @param {{ gain: number, lost: number[] }} taken @param {string[]} names
 */
export function gainText({ gain, lost }, names) {
  const losses = lost.flatMap((value, seat) => (value ? [t("{value} from {name}", { value: formatNumber(value), name: names[seat] })] : []));
  return losses.length ? t("{gain} · takes {losses}", { gain: formatGain(gain), losses: formatList(losses) }) : formatGain(gain);
}

/** The owner of a vertex. @param {number} owner @param {number | null} viewer  the seat that may place now @param {string[]} names */
export function ownerText(owner, viewer, names) {
  if (owner < 0) return t("nobody’s");
  return owner === viewer ? t("yours") : t("{name}’s", { name: names[owner] });
}

/** @param {string} vertex @param {number} value @param {string} owner */
export const vertexText = (vertex, value, owner) => [t("vertex {vertex} · value {value}", { vertex, value: formatNumber(value) }), ...(owner === t("nobody’s") ? [] : [owner])].join(" · ");

/** Label of a vertex for screen readers. @param {string} vertex @param {number} value @param {string} owner @param {number} token */
export function vertexLabel(vertex, value, owner, token) {
  const lies = token ? [t("token {token}", { token })] : [];
  return [t("vertex {vertex}, value {value}", { vertex, value: formatNumber(value) }), ...lies, owner].join(", ");
}

/**
 * The board in one sentence.
 * @param {number} vertices @param {number} ply @param {string[]} names @param {number[]} scores @param {number} total
 */
export function boardLabel(vertices, ply, names, scores, total) {
  const count = formatNumber(vertices);
  if (!ply) return t("Board of {count} vertices, empty", { count });
  const told = shares(scores, total);
  const areas = formatList(names.map((name, seat) => `${name} ${told[seat] ?? "0"}`));
  return t("Board of {count} vertices after move {number}: {areas}", { count, number: ply, areas });
}
