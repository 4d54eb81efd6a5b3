/** What is wrong with each field of a form by itself, in words. */

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").RulesField} RulesField */

/** @param {RulesField} field @param {Rules} rules */
export const isShown = (field, rules) => field.shown?.(rules) ?? true;

/** @param {RulesField[]} fields @param {Rules} rules @returns {Record<string, string>} field name -> what is wrong */
export function faultsOf(fields, rules) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const field of fields) {
    const fault = isShown(field, rules) ? faultOf(field, rules[field.name]) : "";
    if (fault) found[field.name] = fault;
  }
  return found;
}

/** @param {RulesField} field @param {Rules[string]} value */
function faultOf({ label, kind, optional, least = kind === "share" ? 0 : -Infinity, most = kind === "share" ? 1 : Infinity }, value) {
  if (kind === "choice" || kind === "places" || (optional && value === null)) return "";
  if (typeof value !== "number" || Number.isNaN(value)) return `${label}: a ${kind === "whole" ? "whole " : ""}number is needed`;
  if (kind === "whole" && !Number.isInteger(value)) return `${label}: a whole number is needed`;
  if (value < least) return `${label}: at least ${least} is needed, here ${value}`;
  if (value > most) return `${label}: at most ${most} is possible, here ${value}`;
  return "";
}
