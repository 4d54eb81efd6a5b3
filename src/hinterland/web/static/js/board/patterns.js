/** One pattern for each seat, for colour-blind viewers; coordinates are in CSS pixels. */

/** @param {number} value @param {number} period @param {number} width */
const stripe = (value, period, width) => ((value % period) + period) % period < width;

/** @param {number} u @param {number} v @param {number} period @param {number} radius */
const dot = (u, v, period, radius) => {
  const x = (u % period) - period / 2;
  const y = (v % period) - period / 2;
  return x * x + y * y < radius * radius;
};

/** @type {((u: number, v: number) => boolean)[]} */
const PATTERNS = [
  (u, v) => stripe(u + v, 12, 2),
  (u, v) => dot(u, v, 10, 2.2),
  (u, v) => stripe(u - v, 12, 2),
  (_, v) => stripe(v, 10, 2),
  (u) => stripe(u, 10, 2),
  (u, v) => stripe(u, 14, 1.5) || stripe(v, 14, 1.5),
  (u, v) => stripe(u + v, 16, 1.5) || stripe(u - v, 16, 1.5),
  (u, v) => stripe(u, 16, 8) !== stripe(v, 16, 8),
  (u, v) => dot(u, v, 18, 5) && !dot(u, v, 18, 3),
  (_, v) => stripe(v, 20, 7),
  (u) => stripe(u, 20, 7),
  (u, v) => stripe(v + Math.abs((u % 16) - 8), 12, 2),
];

/** Whether the pattern of a seat has ink at (u, v). @param {number} seat @param {number} u @param {number} v */
export function patternAt(seat, u, v) {
  return PATTERNS[seat % PATTERNS.length](u, v);
}

const PERIODS = [12, 10, 12, 10, 10, 14, 16, 16, 18, 20, 20, 48];

/** Distance in CSS pixels after which a seat's pattern repeats, across and down. @param {number} seat */
export const patternPeriod = (seat) => PERIODS[seat % PERIODS.length];
