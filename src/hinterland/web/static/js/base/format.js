/** Numbers and times as the pages show them. */

const whole = new Intl.NumberFormat("en-GB");

/** `38211` as `38,211`. @param {number} count */
export const counted = (count) => whole.format(count);

/** `1 stone`, `2 stones`. @param {number} count @param {string} thing */
export const several = (count, thing) => `${whole.format(count)} ${thing}${count === 1 ? "" : "s"}`;

/** `+38,211`. @param {number} gain */
export const gained = (gain) => `+${whole.format(gain)}`;

/** A share of the whole board, `53.1 %`. @param {number} part @param {number} total */
export const percent = (part, total) => `${(total ? (100 * part) / total : 0).toFixed(1)}\u202f%`;

/** `1:42.3`; from ten minutes on without tenths. @param {number} ms */
export function clockText(ms) {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const seconds = Math.floor(tenths / 10);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return seconds < 600 ? `${text}.${tenths % 10}` : text;
}

/** `Ann, reply and mirror`. @param {string[]} names */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** What the server says, as a sentence begins. @param {string} words */
export const sentence = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
