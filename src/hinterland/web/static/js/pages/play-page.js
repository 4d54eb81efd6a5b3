/** Setting up a game: presets, rules, seats, clock, and one bright button. */
import { Refused, startGame } from "../base/api.js";
import { need, pageData } from "../base/dom.js";
import { NamedSeats } from "../setup/named-seats.js";
import { SetupPage } from "../setup/setup-page.js";
import { loadView } from "./view-loader.js";

/** @import { GameEntry, GameView, Rules } from "../base/types.js" */

const CLOCKS = [
  { value: "", label: "none" },
  { value: "60", label: "1 minute" },
  { value: "120", label: "2 minutes" },
  { value: "600", label: "10 minutes" },
  { value: "own", label: "other" },
];

/** @extends {SetupPage<NamedSeats>} */
class PlayPage extends SetupPage {
  /** @param {GameEntry} game @param {GameView} view @param {Rules | null} board  the options of a board to begin with */
  constructor(game, view, board) {
    super(game, view, (changed) => new NamedSeats(game, view.opponent, changed), CLOCKS, board);
  }

  /** @override @param {Rules} rules */
  async start(rules) {
    if (this.choices.clock && !(this.seconds > 0)) throw new Refused("Clock: a number of seconds above 0 is needed");
    const clock = this.choices.clock ? { budget: this.seconds } : null;
    return startGame({ game: this.game.name, rules, seats: this.seats.requests(), clock, seed: null });
  }
}

const { games = [], game: name, board } = pageData();
const game = games.find((/** @type {GameEntry} */ one) => one.name === (name ?? need("main").dataset.game));
new PlayPage(game, await loadView(game.name), board);
