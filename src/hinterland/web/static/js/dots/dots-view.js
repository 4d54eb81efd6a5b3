/** Join the dots, as the generic pages know it: its rules as a form, and what is wrong with them in words. */
import { several } from "../base/format.js";
import { MOST, layOut, onGrid } from "./board-editor.js";
import { DotsBoard } from "./dots-board.js";
import { example } from "./dots-example.js";
import { analysisText, moveText } from "./dots-words.js";

/** @import { GameView, Rules } from "../base/types.js" */

const LEAST = 3;
const OWN = "own";

const BOARDS = {
  random: "Random: dots anywhere",
  jittered: "Jittered: a grid, shaken",
  clusters: "Clusters: dots in flocks",
  circle: "Circle: all on one round",
  double_circle: "Double circle: one round, dented",
  nested: "Nested: rounds within rounds",
  spiral: "Spiral: one arm, winding",
  halton: "Halton: even, without a pattern",
  [OWN]: "Your own: drawn by hand",
};

/** Whether the dots are drawn by hand. @param {Rules} rules */
const isOwn = ({ board }) => board === OWN;

/** @param {Rules} rules */
const pointsOf = (rules) => /** @type {number[][]} */ (rules.points ?? []);

/** @type {GameView} */
export const view = {
  createBoard: () => new DotsBoard(),
  needsDrawingData: true,
  layOut: (rules) => (isOwn(rules) ? layOut(/** @type {[number, number][]} */ (rules.points ?? [])) : null),
  defaults: { board: "random", dots: 12, groups: 3, players: 2, board_seed: 0, points: [] },
  fields: [
    { name: "board", label: "Board", kind: "choice", choices: BOARDS },
    { name: "dots", label: "Dots", kind: "whole", least: LEAST, most: MOST, shown: (rules) => !isOwn(rules) },
    { name: "groups", label: "Clusters", kind: "whole", least: 1, most: MOST, shown: ({ board }) => board === "clusters" },
    { name: "points", label: "Your dots", hint: "click the board to put one, click one to take it away", kind: "places", shown: isOwn },
    { name: "board_seed", label: "Number of the board", kind: "whole", least: 0, most: 2 ** 53 - 1, drawn: "another board", shown: (rules) => !isOwn(rules) },
  ],
  relations(rules) {
    const { board, dots, groups } = rules;
    const { length } = pointsOf(rules);
    if (isOwn(rules) && length < LEAST) return { points: `At least ${LEAST} dots are needed, here ${length}` };
    if (board !== "clusters" || Number(groups) <= Number(dots)) return {};
    return { groups: `Clusters: at most ${dots} is possible, one a dot, here ${groups}` };
  },
  sent: (rules) => (isOwn(rules) ? { players: rules.players, points: rules.points } : rules),
  received: (options) => ("points" in options ? { ...options, board: OWN, points: onGrid(pointsOf(options)) } : options),
  describe: (rules) => several(isOwn(rules) ? pointsOf(rules).length : Number(rules.dots), "dot"),
  total: (rules) => Number(rules.total),
  unit: "dots",
  moveText,
  verb: { now: "Draw", done: "drew", how: "join two dots" },
  analysisText,
  opponent: "perfect",
  example,
};
