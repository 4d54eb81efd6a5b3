/** The rules of gravity as a form: fields, limits, and what is wrong in words. */
import { faultsOf } from "../fields.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").RulesField} RulesField */

/** @type {Rules} */
export const defaults = { size: 1000, players: 2, stones: 10, spacing: 66, weight: null, law: "gravity" };

/** @type {RulesField[]} */
export const fields = [
  { name: "size", label: "Board", hint: "cells a side", kind: "whole", least: 2, most: 2000 },
  { name: "stones", label: "Stones", hint: "each player", kind: "whole", least: 1, most: 200 },
  { name: "spacing", label: "Spacing", hint: "between stones", kind: "whole", least: 1, most: 10_000 },
  { name: "weight", label: "Weight", hint: "to share out", kind: "whole", least: 1, most: 1_000_000, optional: true, blank: "1 each" },
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
  const found = faultsOf(fields, rules);
  return Object.keys(found).length ? found : relations(rules);
}

/** @param {Rules} rules @returns {Record<string, string>} */
function relations({ size, spacing }) {
  const widest = Math.floor(Math.SQRT2 * (Number(size) - 1));
  if (Number(spacing) <= widest) return {};
  return { spacing: `Spacing: at most ${widest} leaves room for a second stone on this board, here ${spacing}` };
}

/** @param {Rules} rules */
export function describe({ size, stones, spacing, weight, law }) {
  const parts = [`${stones} ${stones === 1 ? "stone" : "stones"}`, `spacing ${spacing}`];
  if (size !== 1000) parts.push(`${size} × ${size}`);
  if (weight !== null) parts.push(`weight ${weight}`);
  if (law === "nearest") parts.push("nearest stone");
  return parts.join(" · ");
}
