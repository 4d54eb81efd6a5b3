/**
 * Translates the texts of pages. The English text stands in the code and is the key; its translation comes with the
 * page, which holds only the texts of its own modules. `t("Level {number}", { number })`; `tn("{count} stone", "{count}
 * stones", 3)`.
 */

/** @typedef {Record<string, string | number>} Values */
/** @typedef {{ texts: Record<string, string | string[]>, plurals: Record<string, number> }} Messages  plurals: which form goes with `one`, `few` … */

/** Language of the page; numbers and lists are formatted in this language. */
export const language = document.documentElement.lang || "en";

/** @type {Messages} */
const { texts, plurals } = JSON.parse(document.getElementById("messages")?.textContent || '{"texts": {}, "plurals": {"one": 0}}');
const kinds = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(language);

/** `38,211`. @param {number} count */
export const formatNumber = (count) => whole.format(count);

/** Translate a text and fill in its values. @param {string} text @param {Values} [values] */
export function t(text, values = {}) {
  const said = texts[text];
  return filled(typeof said === "string" ? said : text, values);
}

/** Translate a text that has a singular and a plural; `{count}` stands for the number. @param {string} one @param {string} many @param {number} count @param {Values} [values] */
export function tn(one, many, count, values = {}) {
  const said = texts[one];
  const form = plurals[kinds.select(count)] ?? 1;
  const forms = Array.isArray(said) ? said : [one, many];
  return filled(forms[form], { count: formatNumber(count), ...values });
}

/** @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
