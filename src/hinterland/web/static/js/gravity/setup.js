/** The rules of gravity as a form: fields, limits, and what is wrong in words. */

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").RulesField} RulesField */

/** @type {Rules} */
export const defaults = { size: 1000, players: 2, stones: 10, spacing: 66, weight: null, law: "gravity" };

/** @type {RulesField[]} */
export const fields = [
  { name: "size", label: "Board", hint: "cells a side", kind: "whole", least: 1, most: 2000 },
  { name: "stones", label: "Stones", hint: "each player", kind: "whole", least: 1, most: 500 },
  { name: "spacing", label: "Spacing", hint: "cells between stones", kind: "whole", least: 1 },
  { name: "weight", label: "Weight", hint: "to spread; empty: 1 each", kind: "whole", least: 1, optional: true },
  {
    name: "law",
    label: "Law",
    kind: "choice",
    choices: [
      { value: "gravity", label: "Gravity: pulls add up" },
      { value: "nearest", label: "Nearest: the strongest stone counts" },
    ],
  },
];

/** @param {Rules} rules @returns {Record<string, string>} */
export function faults(rules) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { name, label, kind, optional, least = -Infinity, most = Infinity } of fields) {
    const value = rules[name];
    if (kind !== "whole" || (optional && value === null)) continue;
    if (typeof value !== "number" || !Number.isInteger(value)) found[name] = `${label}: a whole number is needed`;
    else if (value < least) found[name] = `${label}: at least ${least} is needed, here ${value}`;
    else if (value > most) found[name] = `${label}: at most ${most} is possible, here ${value}`;
  }
  return Object.keys(found).length ? found : relations(rules);
}

/** @param {Rules} rules @returns {Record<string, string>} */
function relations({ size, players, stones, spacing, weight }) {
  const all = Number(players) * Number(stones);
  const room = Number(size) ** 2;
  if (weight !== null && Number(weight) < Number(stones)) {
    return { weight: `Weight: at least ${stones} is needed for ${stones} stones, here ${weight}` };
  }
  if (all > room) return { stones: `Stones: ${all} do not fit on ${room} cells` };
  if (all > 1 && Number(spacing) > Math.SQRT2 * (Number(size) - 1)) {
    return { spacing: `Spacing: leaves no room for a second stone on a board of ${size}, here ${spacing}` };
  }
  return {};
}

/** @param {Rules} rules */
export function describe({ size, stones, spacing, weight, law }) {
  const parts = [`${stones} ${stones === 1 ? "stone" : "stones"}`, `spacing ${spacing}`];
  if (size !== 1000) parts.push(`${size} × ${size}`);
  if (weight !== null) parts.push(`weight ${weight}`);
  if (law === "nearest") parts.push("nearest stone");
  return parts.join(" · ");
}
