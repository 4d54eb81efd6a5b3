/** Numbers as small pictures: the stacked bar of areas, sparklines, and the track of the replay. */
import { draw, setText, span } from "../base/dom.js";
import { formatNumber, formatList, shares } from "../base/format.js";
import { t } from "../base/words.js";

/** @param {number} width @param {number} height @param {string} name @param {...Element} children */
function frame(width, height, name, ...children) {
  return draw("svg", { class: name, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...children);
}

/**
 * Show one bar for the whole board, with a part for each seat; what no part fills belongs to nobody.
 * @param {HTMLElement} bar @param {number[]} scores @param {number} total @param {string[]} names @param {string} unit
 */
export function showBar(bar, scores, total, names, unit) {
  while (bar.children.length < scores.length) {
    bar.append(span(`part seat-${bar.children.length}`, span("number")));
  }
  while (bar.children.length > scores.length) bar.lastElementChild?.remove();
  const told = shares(scores, total);
  scores.forEach((score, seat) => {
    const part = /** @type {HTMLElement} */ (bar.children[seat]);
    const share = total ? score / total : 0;
    part.style.flexBasis = `${100 * share}%`;
    setText(part.children[0], told[seat]);
  });
  const more = (/** @type {number} */ seat) => (told[seat] === formatNumber(scores[seat]) ? "" : `, ${told[seat]}`);
  const words = names.map((name, seat) => `${name} ${formatNumber(scores[seat])} ${unit}${more(seat)}`);
  bar.setAttribute("aria-label", t("Areas: {areas}", { areas: formatList(words) }));
}

const SPARK = { width: 120, height: 28 };

/** A line of one seat's area, move by move; a dot marks the current move. @param {number[]} values @param {number} most @param {number} ply */
export function sparkline(values, most, ply) {
  const { width, height } = SPARK;
  const x = (/** @type {number} */ k) => 2 + ((width - 4) * k) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ value) => height - 2 - ((height - 4) * value) / Math.max(1, most);
  const points = values.map((value, k) => `${x(k).toFixed(1)},${y(value).toFixed(1)}`);
  const here = values.length ? [draw("circle", { cx: x(ply), cy: y(values[ply] ?? 0), r: 2.5 })] : [];
  return frame(width, height, "spark", draw("polyline", { points: points.join(" ") }), ...here);
}

/**
 * The track of the scrubber: the shares of all seats, stacked, move by move.
 * @param {number[][]} history  the scores after each move, from move 0
 * @param {number} total
 */
export function shareTrack(history, total) {
  const below = new Array(history.length).fill(0);
  const edge = () => below.map((share, k) => `${k},${(100 * share).toFixed(2)}`);
  const areas = history[0].map((_, seat) => {
    const lower = edge();
    history.forEach((scores, k) => (below[k] += total ? scores[seat] / total : 0));
    return draw("polygon", { class: `seat-${seat}`, points: [...lower, ...edge().reverse()].join(" ") });
  });
  return frame(Math.max(1, history.length - 1), 100, "track", ...areas);
}
