/** One click to a small live game against the easiest opponent: no form, no clock, and the first time a lesson. */
import { readKept, startGame } from "../base/api.js";
import { t } from "../base/words.js";
import { teachOnce } from "./lesson.js";

/** @import { GameEntry, GameView } from "../base/types.js" */

/** Start it, and return its address. @param {GameEntry} game @param {GameView} view @returns {Promise<string>} */
export async function startFirstGame({ name: game, levels, players }, view) {
  const name = readKept("hinterland.name")?.trim() || t("Player {number}", { number: 1 });
  const player = levels[0]?.spec ?? players[0].name;
  const seats = /** @type {const} */ ([{ kind: "person", name }, { kind: "program", player }]);
  const url = await startGame({ game, rules: view.first.rules, seats: [...seats], clock: null, seed: null });
  teachOnce(game, url.split("/").pop() ?? "");
  return url;
}
