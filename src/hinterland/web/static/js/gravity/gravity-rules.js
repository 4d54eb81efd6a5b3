/** The rules of gravity as fields of a form, words for what is wrong with them, and a small game. This module loads no board. */
import { t, tn } from "../base/words.js";
import { LESSON, moveText } from "./gravity-words.js";
import { obstacle } from "./pulls.js";

/** @import { Rules, RulesView } from "../base/types.js" */

/** @type {RulesView} */
export const rulesView = {
  defaults: { size: 1000, players: 2, stones: 10, spacing: 66, weight: null, law: "gravity" },
  fields: [
    { name: "size", label: t("Board"), hint: t("cells per side"), kind: "whole", least: 2 },
    { name: "stones", label: t("Stones"), hint: stonesHint, kind: "whole", least: 1 },
    { name: "spacing", label: t("Spacing"), hint: t("between stones"), kind: "whole", least: 1, most: 10_000 },
    { name: "weight", label: t("Weight"), hint: t("total per player"), kind: "whole", least: 1, most: 1_000_000, optional: true, blank: t("off") },
    { name: "law", label: t("Who owns a cell"), kind: "choice", choices: { gravity: t("Gravity: sum of all pulls"), nearest: t("Nearest: strongest stone only") } },
  ],
  relations({ size, spacing }) {
    const widest = Math.floor(Math.SQRT2 * (Number(size) - 1));
    if (Number(spacing) <= widest) return {};
    return { spacing: t("At {spacing} no second stone fits; use {most} or less", { most: widest, spacing: Number(spacing) }) };
  },
  describe({ size, stones, spacing, weight, law }) {
    const parts = [tn("{count} stone", "{count} stones", Number(stones)), t("spacing {spacing}", { spacing: Number(spacing) })];
    if (size !== 1000) parts.push(`${size} × ${size}`);
    if (weight !== null) parts.push(t("weight {weight}", { weight: Number(weight) }));
    if (law === "nearest") parts.push(t("nearest stone"));
    return parts.join(" · ");
  },
  total: (rules) => Number(rules.size) ** 2,
  unit: t("cells"),
  moveText,
  typing: { least: 2, most: 3, how: t("a row and a column (and a weight if the game has weights), such as {example}", { example: "601 372" }), such: "601 372" },
  first: { rules: { stones: 3 }, lesson: LESSON },
  sample,
  example: async () => (await import("./gravity-example.js")).example,
};

/** Number of stones that surely fit: the spacing discs of all but the last have fewer cells together than the board. @param {number} size @param {number} spacing */
function fitting(size, spacing) {
  let covered = 0; // cells that are too near to a stone
  for (let row = 1 - spacing; row < spacing; row++) {
    const reach = Math.ceil(Math.sqrt(spacing ** 2 - row ** 2)) - 1;
    covered += 2 * reach + 1;
  }
  return Math.ceil(size ** 2 / covered);
}

/** The hint beside the number of stones. It warns if a game may end before all stones are placed. @param {Rules} rules */
function stonesHint({ size, stones, spacing, players }) {
  const needed = Number(players) * Number(stones);
  const fit = fitting(Number(size), Number(spacing));
  return needed > fit ? t("each player ⚠ {needed} stones may not fit at this spacing; only {fit} surely do", { needed, fit }) : t("each player");
}

/** Places of stones from a game between strong programs: down and across, as shares of the side. */
const SAMPLE = [[0.5, 0.42], [0.49, 0.63], [0.29, 0.66], [0.72, 0.5], [0.27, 0.31], [0.66, 0.79], [0.8, 0.24], [0.12, 0.52]];

/** The first stones of SAMPLE, at most as many as the players place, without stones that are too near to others. @param {Rules} rules */
function sample({ size, stones, spacing, players, weight }) {
  const most = Math.min(SAMPLE.length, Number(stones) * Number(players));
  /** @type {{ row: number, col: number, weight: number, seat: number }[]} */
  const placed = [];
  for (const [down, across] of SAMPLE.slice(0, most)) {
    const [row, col] = [Math.floor(down * Number(size)), Math.floor(across * Number(size))];
    if (!obstacle(placed, row, col, Number(spacing))) placed.push({ row, col, weight: 1, seat: 0 });
  }
  return placed.map(({ row, col }) => (weight === null ? [row, col] : [row, col, 1]));
}
