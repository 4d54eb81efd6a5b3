/** Finds a game's view by the game's name: the only place where the generic pages meet a game. */

/** @import { GameView } from "../base/types.js" */

/** @param {string} game @returns {Promise<GameView>} */
export async function loadView(game) {
  if (!/^[a-z][a-z0-9_-]*$/.test(game)) throw new Error(`no game is called ${game}`);
  const { view } = await import(`../${game}/${game}-view.js`);
  return view;
}
