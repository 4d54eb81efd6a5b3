/** The rules of Join the dots as a form and in words. */
import { faultsOf } from "../fields.js";
import { MOST, onGrid } from "./draft.js";
import { dotsText } from "./words.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").RulesField} RulesField */

const LEAST = 3;
const OWN = "own";

/** @type {Rules} */
export const defaults = { board: "random", dots: 12, groups: 3, players: 2, board_seed: 0, points: [] };

/** Whether the dots are drawn by hand. @param {Rules} rules */
export const isOwn = ({ board }) => board === OWN;

/** @type {RulesField[]} */
export const fields = [
  {
    name: "board",
    label: "Board",
    kind: "choice",
    choices: [
      { value: "random", label: "Random: dots anywhere" },
      { value: "jittered", label: "Jittered: a grid, shaken" },
      { value: "clusters", label: "Clusters: dots in flocks" },
      { value: "circle", label: "Circle: all on one round" },
      { value: "double_circle", label: "Double circle: one round, dented" },
      { value: "nested", label: "Nested: rounds within rounds" },
      { value: "spiral", label: "Spiral: one arm, winding" },
      { value: "halton", label: "Halton: even, without a pattern" },
      { value: OWN, label: "Your own: drawn by hand" },
    ],
  },
  { name: "dots", label: "Dots", kind: "whole", least: LEAST, most: MOST, shown: (rules) => !isOwn(rules) },
  { name: "groups", label: "Clusters", kind: "whole", least: 1, most: MOST, shown: ({ board }) => board === "clusters" },
  { name: "points", label: "Your dots", hint: "click the board to put one, click one to take it away", kind: "places", shown: isOwn },
  { name: "board_seed", label: "Number of the board", kind: "whole", least: 0, most: 2 ** 53 - 1, drawn: "another board", shown: (rules) => !isOwn(rules) },
];

/** @param {Rules} rules */
const pointsOf = (rules) => /** @type {number[][]} */ (rules.points ?? []);

/** @param {Rules} rules @returns {Record<string, string>} */
export function faults(rules) {
  if (!isOwn(rules)) return { ...crowd(rules), ...faultsOf(fields, rules) };
  const { length } = pointsOf(rules);
  return length < LEAST ? { points: `At least ${LEAST} dots are needed, here ${length}` } : {};
}

/** @param {Rules} rules @returns {Record<string, string>} */
function crowd({ board, dots, groups }) {
  return board === "clusters" && Number(groups) > Number(dots) ? { groups: `Clusters: at most ${dots} is possible, one a dot, here ${groups}` } : {};
}

/** What is asked of the server: the board by name, or its dots. @param {Rules} rules @returns {Rules} */
export const sent = (rules) => (isOwn(rules) ? { players: rules.players, points: rules.points } : rules);

/** What the form says for given dots. @param {Rules} options @returns {Rules} */
export const received = (options) => ("points" in options ? { ...options, board: OWN, points: onGrid(pointsOf(options)) } : options);

/** @param {Rules} rules */
export const describe = (rules) => dotsText(isOwn(rules) ? pointsOf(rules).length : Number(rules.dots));
