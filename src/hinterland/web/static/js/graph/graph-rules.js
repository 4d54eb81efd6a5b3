/** The rules of the Voronoi game on graphs as fields of a form, and words for what is wrong with them. This module loads no board. */
import { formatNumber, t, tn } from "../base/words.js";
import { LESSON, moveText } from "./graph-words.js";

/** @import { Rules, RulesView } from "../base/types.js" */

const BOARDS = {
  road: t("Roads: towns joined to their neighbours"),
  random: t("Standard: most pairs joined"),
  sparse: t("Sparse: few pairs joined"),
  grid: t("Grid: squares, with many ties"),
  tree: t("Tree: one way between any two"),
  geometric: t("Near: points within a radius joined"),
  small_world: t("Small world: a ring with short cuts"),
};

/** @param {...string} boards */
const of = (...boards) => (/** @type {Rules} */ { board }) => boards.includes(String(board));
const ofGrid = of("grid");

/** Number of vertices of a board, from the rules of a form or of a game. @param {Rules} rules */
const verticesOf = (rules) => (ofGrid(rules) ? Number(rules.rows) * Number(rules.cols) : Number(rules.vertices));

/** @type {RulesView} */
export const rulesView = {
  needsDrawingData: true,
  defaults: {
    board: "random",
    vertices: 100,
    density: 0.1,
    rows: 10,
    cols: 10,
    radius: 0.15,
    neighbours: 4,
    rewired: 0.1,
    players: 2,
    tokens: 10,
    board_seed: 0,
  },
  fields: [
    { name: "board", label: t("Board"), kind: "choice", choices: BOARDS },
    { name: "vertices", label: t("Vertices"), kind: "whole", least: 2, shown: (rules) => !ofGrid(rules) },
    { name: "rows", label: t("Rows"), kind: "whole", least: 1, shown: ofGrid },
    { name: "cols", label: t("Columns"), kind: "whole", least: 1, shown: ofGrid },
    {
      name: "density",
      label: t("Density"),
      hint: ({ board }) => (board === "random" ? t("share of pairs joined: 1 − √density") : t("share of pairs joined (0–1)")),
      kind: "share",
      shown: of("random", "sparse"),
    },
    { name: "radius", label: t("Radius"), hint: t("joins points closer than this (fraction of the side)"), kind: "share", shown: of("geometric") },
    { name: "neighbours", label: t("Neighbours"), hint: t("on the ring"), kind: "whole", least: 2, most: 100, shown: of("small_world") },
    { name: "rewired", label: t("Short cuts"), hint: t("share of edges rewired (0–1)"), kind: "share", shown: of("small_world") },
    { name: "tokens", label: t("Tokens"), hint: t("each player"), kind: "whole", least: 1 },
    { name: "board_seed", label: t("Board seed"), kind: "whole", least: 0, most: 2 ** 53 - 1, drawn: t("shuffle") },
  ],
  relations(rules, limits) {
    const { players, tokens, neighbours } = rules;
    const vertices = verticesOf(rules);
    const needed = Number(players) * Number(tokens);
    const size = ofGrid(rules) ? "rows" : "vertices";
    if (vertices > limits.vertices) {
      return { rows: t("Rows times columns must be {most} or less, not {count}", { most: formatNumber(limits.vertices), count: formatNumber(vertices) }) };
    }
    if (vertices < needed) {
      return { [size]: t("{players} players with {tokens} tokens each need at least {needed} vertices, not {vertices}", { players: Number(players), tokens: Number(tokens), needed, vertices }) };
    }
    if (of("small_world")(rules) && Number(neighbours) >= vertices) {
      return { neighbours: t("Neighbours must be fewer than the {vertices} vertices, not {neighbours}", { vertices, neighbours: Number(neighbours) }) };
    }
    const edges = edgesOf(rules, vertices);
    if (edges <= limits.edges) return {};
    return { [size]: t("About {edges} edges are too many, {most} at most; take fewer vertices or join fewer pairs", { edges: formatNumber(edges), most: formatNumber(limits.edges) }) };
  },
  describe(rules) {
    const { tokens, parts } = rules;
    const words = [tn("{count} vertex", "{count} vertices", verticesOf(rules)), tn("{count} token", "{count} tokens", Number(tokens))];
    if (rules.unweighted) words.push(t("all edges of length 1"));
    if (Number(parts ?? 1) > 1) words.push(t("in {parts} parts", { parts: Number(parts) }));
    return words.join(" · ");
  },
  total: (rules) => Number(rules.total),
  unit: t("points"),
  moveText,
  typing: { least: 1, most: 1, how: t("the number of a vertex, such as {example}", { example: "17" }), such: "17" },
  first: { rules: { board: "road", vertices: 24, tokens: 3 }, lesson: LESSON },
  example: async () => (await import("./graph-example.js")).example,
};

/** Approximate number of edges of a board. @param {Rules} rules @param {number} vertices */
function edgesOf({ board, density, radius }, vertices) {
  const pairs = (vertices * (vertices - 1)) / 2;
  if (board === "random") return Math.round(pairs * (1 - Math.sqrt(Number(density))));
  if (board === "sparse") return Math.round(pairs * Number(density));
  if (board === "geometric") return Math.round(pairs * Math.min(1, 2 * Number(radius) ** 2));
  return 0;
}
