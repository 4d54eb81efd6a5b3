/** Numbers as small pictures: the stacked bar of areas, sparklines, and the track of the film. */
import { make, setText } from "./dom.js";
import { counted, listed, percent } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, string | number>} attributes */
function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {number} width @param {number} height @param {string} name */
function frame(width, height, name) {
  return draw("svg", { class: name, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
}

/**
 * One bar for the whole board; what is left over is nobody's.
 * @param {HTMLElement} bar @param {number[]} scores @param {number} total @param {string[]} names @param {string} unit
 */
export function showBar(bar, scores, total, names, unit) {
  while (bar.children.length < scores.length) {
    bar.append(make("span", { class: `part seat-${bar.children.length}` }, make("span", { class: "number" })));
  }
  while (bar.children.length > scores.length) bar.lastElementChild?.remove();
  scores.forEach((score, seat) => {
    const part = /** @type {HTMLElement} */ (bar.children[seat]);
    const share = total ? score / total : 0;
    part.style.flexBasis = `${100 * share}%`;
    setText(part.children[0], percent(score, total));
  });
  const words = names.map((name, seat) => `${name} ${counted(scores[seat])} ${unit}, ${percent(scores[seat], total)}`);
  bar.setAttribute("aria-label", `Areas: ${listed(words)}`);
}

const SPARK = { width: 120, height: 28 };

/** The area of one seat, move by move; a dot at the move looked at. @param {number[]} values @param {number} most @param {number} steps @param {number} ply */
export function sparkline(values, most, steps, ply) {
  const { width, height } = SPARK;
  const svg = frame(width, height, "spark");
  const x = (/** @type {number} */ k) => 2 + ((width - 4) * k) / Math.max(1, steps);
  const y = (/** @type {number} */ value) => height - 2 - ((height - 4) * value) / Math.max(1, most);
  const points = values.map((value, k) => `${x(k).toFixed(1)},${y(value).toFixed(1)}`);
  svg.append(draw("polyline", { points: points.join(" ") }));
  if (values.length) svg.append(draw("circle", { cx: x(ply), cy: y(values[ply] ?? 0), r: 2.5 }));
  return svg;
}

/**
 * The shares of all seats, stacked, one column a move: the track of the scrubber.
 * @param {number[][]} history  the scores after each move, from move 0
 * @param {number} total
 */
export function shareTrack(history, total) {
  const width = Math.max(1, history.length - 1);
  const svg = frame(width, 100, "track");
  const seats = history[0]?.length ?? 0;
  const below = new Array(history.length).fill(0);
  for (let seat = 0; seat < seats; seat++) {
    const lower = below.map((share, k) => `${k},${(100 * share).toFixed(2)}`);
    history.forEach((scores, k) => (below[k] += total ? scores[seat] / total : 0));
    const upper = below.map((share, k) => `${k},${(100 * share).toFixed(2)}`).reverse();
    svg.append(draw("polygon", { class: `seat-${seat}`, points: [...lower, ...upper].join(" ") }));
  }
  return svg;
}

/**
 * What each move lost, a bar a move: stands below the track of the film.
 * @param {import("./types.js").MoveReview[]} moves
 */
export function lossTrack(moves) {
  const most = Math.max(1, ...moves.map(({ loss }) => loss ?? 0));
  return moves.map(({ number, seat, loss, losing }, k) => {
    const bar = make("span", { class: `loss seat-${seat}`, "data-ply": number, "data-losing": losing, title: lossTitle(number, loss) });
    bar.style.setProperty("--place", String((k + 1) / moves.length));
    bar.style.setProperty("--of", String(moves.length));
    bar.style.setProperty("--share", String((loss ?? 0) / most));
    return bar;
  });
}

/** @param {number} number @param {number | null} loss */
const lossTitle = (number, loss) => `move ${number}: ${loss === null ? "not known" : loss ? `lost ${counted(loss)}` : "lost nothing"}`;
