/** Loads the modules of a game by the game's name. Generic pages load games only through this module. */

/** @import { GameView, RulesView } from "../base/types.js" */

/** @param {string} game @returns {Promise<GameView>} */
export async function loadView(game) {
  const { view } = await import(`../${checked(game)}/${game}-view.js`);
  return view;
}

/** Load the parts of a game that need no board; they load sooner than the board. @param {string} game @returns {Promise<RulesView>} */
export async function loadRules(game) {
  const { rulesView } = await import(`../${checked(game)}/${game}-rules.js`);
  return rulesView;
}

/** @param {string} game */
function checked(game) {
  if (!/^[a-z][a-z0-9_-]*$/.test(game)) throw new Error(`no game is called ${game}`);
  return game;
}
