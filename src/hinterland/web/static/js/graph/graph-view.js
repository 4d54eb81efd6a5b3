/** The Voronoi game on graphs, as the generic pages know it: its rules as a form, and what is wrong with them in words. */
import { counted, several } from "../base/format.js";
import { GraphBoard } from "./graph-board.js";
import { example } from "./graph-example.js";
import { moveText } from "./graph-words.js";

/** @import { GameView, Rules } from "../base/types.js" */

const BOARDS = {
  road: "Roads: towns joined to their neighbours",
  random: "Course: most pairs joined",
  sparse: "Sparse: few pairs joined",
  grid: "Grid: squares, with many ties",
  tree: "Tree: one way between any two",
  geometric: "Near: points joined to all near them",
  small_world: "Small world: a ring with short cuts",
};
const MOST_VERTICES = 1000;
const MOST_EDGES = 50_000;

/** @param {...string} boards */
const of = (...boards) => (/** @type {Rules} */ { board }) => boards.includes(String(board));
const ofGrid = of("grid");

/** How many vertices a board has, of a form or of a game. @param {Rules} rules */
const verticesOf = (rules) => (ofGrid(rules) ? Number(rules.rows) * Number(rules.cols) : Number(rules.vertices));

/** @type {GameView} */
export const view = {
  createBoard: () => new GraphBoard(),
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
    { name: "board", label: "Board", kind: "choice", choices: BOARDS },
    { name: "vertices", label: "Vertices", kind: "whole", least: 2, most: MOST_VERTICES, shown: (rules) => !ofGrid(rules) },
    { name: "rows", label: "Rows", kind: "whole", least: 1, most: MOST_VERTICES, shown: ofGrid },
    { name: "cols", label: "Columns", kind: "whole", least: 1, most: MOST_VERTICES, shown: ofGrid },
    {
      name: "density",
      label: "Density",
      hint: ({ board }) => (board === "random" ? "joins 1 − √density of all pairs" : "joins that part of all pairs"),
      kind: "share",
      shown: of("random", "sparse"),
    },
    { name: "radius", label: "Radius", hint: "joins what is nearer, in sides", kind: "share", shown: of("geometric") },
    { name: "neighbours", label: "Neighbours", hint: "on the ring", kind: "whole", least: 2, most: 100, shown: of("small_world") },
    { name: "rewired", label: "Short cuts", hint: "that part of all edges", kind: "share", shown: of("small_world") },
    { name: "tokens", label: "Tokens", hint: "each player", kind: "whole", least: 1, most: 100 },
    { name: "board_seed", label: "Number of the board", kind: "whole", least: 0, most: 2 ** 53 - 1, drawn: "another board" },
  ],
  relations(rules) {
    const { players, tokens, neighbours } = rules;
    const vertices = verticesOf(rules);
    const needed = Number(players) * Number(tokens);
    const size = ofGrid(rules) ? "rows" : "vertices";
    if (vertices > MOST_VERTICES) {
      return { rows: `Rows times columns: at most ${counted(MOST_VERTICES)} is possible, here ${counted(vertices)}` };
    }
    if (vertices < needed) {
      return { [size]: `${players} players with ${tokens} tokens each need at least ${needed} vertices, here ${vertices}` };
    }
    if (of("small_world")(rules) && Number(neighbours) >= vertices) {
      return { neighbours: `Neighbours: fewer than the ${vertices} vertices are possible, here ${neighbours}` };
    }
    const edges = edgesOf(rules, vertices);
    if (edges <= MOST_EDGES) return {};
    return { [size]: `About ${counted(edges)} edges: at most ${counted(MOST_EDGES)} are possible; take fewer vertices or join fewer` };
  },
  describe(rules) {
    const { tokens, parts } = rules;
    const words = [`${counted(verticesOf(rules))} vertices`, several(Number(tokens), "token")];
    if (rules.unweighted) words.push("all edges of length 1");
    if (Number(parts ?? 1) > 1) words.push(`in ${parts} parts`);
    return words.join(" · ");
  },
  total: (rules) => Number(rules.total),
  unit: "points",
  moveText,
  opponent: "gain",
  example,
};

/** About how many edges a board will have. @param {Rules} rules @param {number} vertices */
function edgesOf({ board, density, radius }, vertices) {
  const pairs = (vertices * (vertices - 1)) / 2;
  if (board === "random") return Math.round(pairs * (1 - Math.sqrt(Number(density))));
  if (board === "sparse") return Math.round(pairs * Number(density));
  if (board === "geometric") return Math.round(pairs * Math.min(1, 2 * Number(radius) ** 2));
  return 0;
}
