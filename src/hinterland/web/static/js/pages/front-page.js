/** The front page: a real match playing itself, and a card a game. */
import { mountMiniature } from "../board/local-game.js";
import { showBar } from "../game/charts.js";
import { chip, make, need, onDetail, pageData, setText, span } from "../base/dom.js";
import { LiveConnection } from "../game/live-connection.js";
import { BoardLoader } from "../game/board-loader.js";
import { loadView } from "./view-loader.js";

/** @import { GameView, Snapshot } from "../base/types.js" */

/** Shows the match the server is holding; a new one follows by itself. */
class Showcase {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {{ game: string, view: GameView, loader: BoardLoader } | null} */
    this.shown = null;
    this.drawn = "";
    const live = new LiveConnection("/showcase/live", null);
    onDetail(live, "snapshot", (snapshot) => this.#take(snapshot));
    live.open();
  }

  /** @param {Snapshot} snapshot */
  async #take(snapshot) {
    const { view, loader } = await this.#loaderFor(snapshot.game);
    const { rules, drawing_data: drawingData, moves, seats, to_move: toMove, scores } = snapshot;
    const key = `${snapshot.id}/${moves.length}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const names = seats.map((seat) => seat.name);
    loader.show(drawingData, { rules, names, moves, toMove, placing: false });
    showBar(need("[data-bar]", this.place), scores, view.total(rules), names, view.unit);
    const place = need("[data-show-names]", this.place);
    if (place.dataset.id !== snapshot.id) {
      place.dataset.id = snapshot.id;
      const players = names.map((name, seat) => span(`player seat-${seat}`, chip(), name));
      place.replaceChildren(...players, make("span", { class: "faint number", "data-show-move": true }), make("a", { href: `/games/${snapshot.id}` }, "watch"));
    }
    setText(need("[data-show-move]", place), snapshot.outcome ? "over" : `move ${moves.length}`);
  }

  /** @param {string} game */
  async #loaderFor(game) {
    if (this.shown?.game === game) return this.shown;
    const view = await loadView(game);
    if (this.shown?.game === game) return this.shown;
    const loader = new BoardLoader(need("[data-board]", this.place), view.createBoard());
    this.shown = { game, view, loader };
    return this.shown;
  }
}

const { games = [], showcase = true } = pageData();
if (showcase) new Showcase(need("[data-showcase]"));
for (const { name } of games) {
  const place = document.querySelector(`[data-game="${CSS.escape(name)}"] [data-miniature]`);
  if (place instanceof HTMLElement) loadView(name).then((view) => mountMiniature(place, view));
}
if (!showcase && games.length) loadView(games[0].name).then((view) => mountMiniature(need("[data-board]"), view));
