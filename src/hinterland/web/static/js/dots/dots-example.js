/** A small game that needs no server. */
import { t } from "../base/words.js";
import { DotLayout } from "./dot-layout.js";
import { DRAWING_DATA } from "./dots-example-board.js";
import { Game, after, cycleOf, legalLines } from "./dots-position.js";

/** @import { LocalMoves, LocalSetting } from "../base/types.js" */
/** @import { Line } from "./dot-layout.js" */
/** @import { Position } from "./dots-position.js" */

const PLAYERS = 2;
const MIN_DOTS = 3;
const total = DRAWING_DATA.places.length;

/** @type {LocalSetting} */
export const example = {
  rules: { players: PLAYERS, dots: total, total },
  isOver: (moves) => positionOf(moves).present.length < MIN_DOTS,
  anywhere: careful,
  total,
  words: { first: t("Click two dots to draw a blue line."), over: t("Fewer than three dots are left"), verb: t("Draw") },
  drawingData: DRAWING_DATA,
};

/** @param {LocalMoves} moves */
function positionOf(moves) {
  return new Game(total, PLAYERS).goTo(moves);
}

/** The line that closes the largest loop; if no line closes a loop, the line after which the rival's largest loop is smallest. Among equally good lines it is chosen at random. @param {LocalMoves} moves */
function careful(moves) {
  const layout = new DotLayout(DRAWING_DATA);
  const position = positionOf(moves);
  const seat = moves.length % PLAYERS;
  const most = (/** @type {Position} */ one) => legalLines(layout, one).reduce((best, line) => Math.max(best, cycleOf(one, line).length), 0);
  const worth = (/** @type {Line} */ line) => cycleOf(position, line).length || -most(after(position, { seat, move: line }));
  const rated = legalLines(layout, position).map((line) => ({ line, worth: worth(line), lot: Math.random() }));
  return rated.reduce((best, one) => (one.worth > best.worth || (one.worth === best.worth && one.lot > best.lot) ? one : best)).line;
}
