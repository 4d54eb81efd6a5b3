/** The rules of Join the dots as fields of a form, and words for what is wrong with them. This module loads no board. */
import { t, tn } from "../base/words.js";
import { MAX_DOTS, layOut, onGrid } from "./board-editor.js";
import { LESSON, analysisText, moveText } from "./dots-words.js";

/** @import { Rules, RulesView } from "../base/types.js" */

const MIN_OWN_DOTS = 3;
const OWN = "own";

const BOARDS = {
  random: t("Random: dots anywhere"),
  jittered: t("Jittered: a loose grid"),
  clusters: t("Clusters: dots in groups"),
  circle: t("Circle: a ring"),
  double_circle: t("Double circle: a ring with dents"),
  nested: t("Nested: rings inside rings"),
  spiral: t("Spiral: one winding arm"),
  halton: t("Halton: evenly scattered"),
  [OWN]: t("Your own: drawn by hand"),
};

/** Whether the dots are drawn by hand. @param {Rules} rules */
const isOwn = ({ board }) => board === OWN;

/** @param {Rules} rules */
const pointsOf = (rules) => /** @type {number[][]} */ (rules.points ?? []);

/** @type {RulesView} */
export const rulesView = {
  needsDrawingData: true,
  layOut: (rules) => (isOwn(rules) ? layOut(/** @type {[number, number][]} */ (rules.points ?? [])) : null),
  defaults: { board: "random", dots: 12, groups: 3, players: 2, board_seed: 0, points: [] },
  fields: [
    { name: "board", label: t("Board"), kind: "choice", choices: BOARDS },
    { name: "dots", label: t("Dots"), kind: "whole", least: MIN_OWN_DOTS, shown: (rules) => !isOwn(rules) },
    { name: "groups", label: t("Clusters"), kind: "whole", least: 1, most: MAX_DOTS, shown: ({ board }) => board === "clusters" },
    { name: "points", label: t("Your dots"), hint: t("click the board to add a dot, click a dot to remove it"), kind: "places", shown: isOwn },
    { name: "board_seed", label: t("Board seed"), kind: "whole", least: 0, most: 2 ** 53 - 1, drawn: t("shuffle"), shown: (rules) => !isOwn(rules) },
  ],
  relations(rules) {
    const { board, dots, groups } = rules;
    const { length } = pointsOf(rules);
    if (isOwn(rules) && length < MIN_OWN_DOTS) return { points: t("Place at least {least} dots, not {count}", { least: MIN_OWN_DOTS, count: length }) };
    if (board !== "clusters" || Number(groups) <= Number(dots)) return {};
    return { groups: t("Clusters must be {most} or fewer, one per dot, not {count}", { most: Number(dots), count: Number(groups) }) };
  },
  sent: (rules) => (isOwn(rules) ? { players: rules.players, points: rules.points } : rules),
  received: (options) => ("points" in options ? { ...options, board: OWN, points: onGrid(pointsOf(options)) } : options),
  describe: (rules) => tn("{count} dot", "{count} dots", isOwn(rules) ? pointsOf(rules).length : Number(rules.dots)),
  total: (rules) => Number(rules.total),
  unit: t("dots"),
  moveText,
  typing: { least: 2, most: 2, how: t("two dots, such as {example}", { example: "3 7" }), such: "3 7" },
  verb: { now: t("Draw"), done: (name, move) => t("{name} drew {move}", { name, move }), how: t("join two dots") },
  analysisText,
  first: { rules: { board: "jittered", dots: 8 }, lesson: LESSON },
  example: async () => (await import("./dots-example.js")).example,
};
