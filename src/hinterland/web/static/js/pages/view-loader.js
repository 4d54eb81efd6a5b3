/** Finds a game's view by the game's name: the only place where the generic pages meet a game. */

/** @import { GameView, RulesView } from "../base/types.js" */

/** @param {string} game @returns {Promise<GameView>} */
export async function loadView(game) {
  const { view } = await import(`../${checked(game)}/${game}-view.js`);
  return view;
}

/** What a game says without a board, which is there sooner. @param {string} game @returns {Promise<RulesView>} */
export async function loadRules(game) {
  const { rulesView } = await import(`../${checked(game)}/${game}-rules.js`);
  return rulesView;
}

/** @param {string} game */
function checked(game) {
  if (!/^[a-z][a-z0-9_-]*$/.test(game)) throw new Error(`no game is called ${game}`);
  return game;
}
