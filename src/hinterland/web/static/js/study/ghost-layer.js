/** Possible moves as ghosts over a board: each with its place and gain. */
import { draw } from "../base/dom.js";
import { formatGain } from "../base/format.js";
import { SCALE, sheet } from "../board/marks.js";

/** @import { BoardElement, Move } from "../base/types.js" */

export class GhostLayer {
  layer = sheet("ghosts");

  /** @param {BoardElement} board */
  constructor(board) {
    this.board = board;
    this.layer.setAttribute("aria-hidden", "true");
  }

  /** @param {{ move: Move, gain: number }[]} found  the best first @param {number} seat  whose they are */
  show(found, seat) {
    const { board, layer } = this;
    if (!layer.isConnected) board.surface.append(layer);
    layer.setAttribute("class", `ghosts seat-${seat}`);
    layer.replaceChildren(...found.map(({ move, gain }) => ghost(board.spotsOf(move), formatGain(gain))).reverse());
  }
}

/** A piece on one place, a line between two. @param {[number, number][]} spots  in the unit square @param {string} words */
function ghost(spots, words) {
  const isLine = spots.length > 1;
  const [from, to] = [spots[0], spots[spots.length - 1]].map(([across, down]) => [SCALE * across, SCALE * down]);
  const shape = isLine ? draw("path", { d: `M${from}L${to}` }) : draw("circle", { cx: from[0], cy: from[1] });
  const label = draw("text", { class: isLine ? "on-line" : "", x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 }, words);
  return draw("g", {}, shape, label);
}
