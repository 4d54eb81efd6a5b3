/** The players' colours, read from the style sheet, which alone defines them. */

/** @typedef {number[]} Rgb */
/** @typedef {{ mark: string, region: string, stone: string, ink: string }} SeatColours  mark: of what stands beside the board; ink: letters on a stone */
/** @typedef {{ seats: SeatColours[], ground: string, raised: string, ink: string, hatch: string }} Palette */

const SEATS = 12;

/** @param {Element} element @returns {Palette} */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    seats: Array.from({ length: SEATS }, (_, seat) => ({
      mark: read(`--seat-${seat}`),
      region: read(`--seat-${seat}-region`),
      stone: read(`--seat-${seat}-stone`),
      ink: read(`--seat-${seat}-stone-ink`),
    })),
    ground: read("--ground"),
    raised: read("--raised"),
    ink: read("--ink"),
    hatch: read("--hatch"),
  };
}

/** `#0072b2` as numbers. @param {string} hex @returns {Rgb} */
export function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The colour half way between two others. @param {string} one @param {string} other @returns {Rgb} */
export function between(one, other) {
  const [a, b] = [rgb(one), rgb(other)];
  return [0, 1, 2].map((k) => Math.round((a[k] + b[k]) / 2));
}

/** A colour with an opacity as one 32-bit number: red in the lowest byte, then green, blue and opacity. @param {Rgb} colour @param {number} opacity */
export function word([red, green, blue], opacity) {
  return ((Math.round(255 * opacity) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
