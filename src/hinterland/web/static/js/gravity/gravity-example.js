/** A small game that needs no server. */
import { t } from "../base/words.js";
import { obstacle } from "./pulls.js";

/** @import { LocalMoves, LocalSetting } from "../base/types.js" */

const RULES = { size: 240, players: 2, stones: 4, spacing: 24, weight: null, law: "gravity" };

/** @type {LocalSetting} */
export const example = {
  rules: RULES,
  isOver: ({ length }) => length >= RULES.players * RULES.stones,
  anywhere,
  total: RULES.size ** 2,
  words: { first: t("Click to place a blue stone."), over: t("All stones are placed"), verb: t("Place") },
};

/** A legal cell away from the edge. @param {LocalMoves} moves */
function anywhere(moves) {
  const stones = moves.map(({ seat, move: [row, col] }) => ({ row, col, weight: 1, seat }));
  const margin = RULES.size / 8;
  const pick = () => Math.floor(margin + Math.random() * (RULES.size - 2 * margin));
  for (;;) {
    const [row, col] = [pick(), pick()];
    if (!obstacle(stones, row, col, 1.5 * RULES.spacing)) return [row, col];
  }
}
