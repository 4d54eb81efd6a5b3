/** Gravity, as the generic pages know it: its rules as a form, what is wrong with them in words, and a small game. */
import { several } from "../base/format.js";
import { wordsOf } from "../board/local-game.js";
import { GravityBoard } from "./gravity-board.js";
import { moveText } from "./gravity-words.js";
import { obstacle } from "./pulls.js";
import { WeightChooser } from "./weight-chooser.js";

/** @import { GameView, LocalMoves } from "../base/types.js" */

const EXAMPLE = { size: 240, players: 2, stones: 4, spacing: 24, weight: null, law: "gravity" };

/** @type {GameView} */
export const view = {
  createBoard: () => new GravityBoard(),
  createMoveControls: (board) => new WeightChooser(/** @type {GravityBoard} */ (board)),
  defaults: { size: 1000, players: 2, stones: 10, spacing: 66, weight: null, law: "gravity" },
  fields: [
    { name: "size", label: "Board", hint: "cells a side", kind: "whole", least: 2, most: 2000 },
    { name: "stones", label: "Stones", hint: "each player", kind: "whole", least: 1, most: 200 },
    { name: "spacing", label: "Spacing", hint: "between stones", kind: "whole", least: 1, most: 10_000 },
    { name: "weight", label: "Weight", hint: "to share out", kind: "whole", least: 1, most: 1_000_000, optional: true, blank: "1 each" },
    { name: "law", label: "Law", kind: "choice", choices: { gravity: "Gravity: pulls add up", nearest: "Nearest: the strongest stone counts" } },
  ],
  relations({ size, spacing }) {
    const widest = Math.floor(Math.SQRT2 * (Number(size) - 1));
    if (Number(spacing) <= widest) return {};
    return { spacing: `Spacing: at most ${widest} leaves room for a second stone on this board, here ${spacing}` };
  },
  describe({ size, stones, spacing, weight, law }) {
    const parts = [several(Number(stones), "stone"), `spacing ${spacing}`];
    if (size !== 1000) parts.push(`${size} × ${size}`);
    if (weight !== null) parts.push(`weight ${weight}`);
    if (law === "nearest") parts.push("nearest stone");
    return parts.join(" · ");
  },
  total: (rules) => Number(rules.size) ** 2,
  unit: "cells",
  moveText,
  opponent: "reply",
  example: {
    rules: EXAMPLE,
    isOver: ({ length }) => length >= EXAMPLE.players * EXAMPLE.stones,
    anywhere,
    total: EXAMPLE.size ** 2,
    words: wordsOf("stone"),
  },
};

/** A legal cell away from the edge. @param {LocalMoves} moves */
function anywhere(moves) {
  const stones = moves.map(({ seat, move: [row, col] }) => ({ row, col, weight: 1, seat }));
  const margin = EXAMPLE.size / 8;
  const pick = () => Math.floor(margin + Math.random() * (EXAMPLE.size - 2 * margin));
  for (;;) {
    const [row, col] = [pick(), pick()];
    if (!obstacle(stones, row, col, 1.5 * EXAMPLE.spacing)) return [row, col];
  }
}
