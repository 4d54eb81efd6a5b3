/** The front page: a real match playing itself, and a card a game. */
import { showBar } from "./charts.js";
import { make, need, pageData, setText } from "./dom.js";
import { Live } from "./live.js";
import { Stage } from "./stage.js";
import { loadView } from "./view-loader.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").GameView} GameView */

/** Shows the match the server is holding; a new one follows by itself. */
class Showcase {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {{ game: string, view: GameView, stage: Stage } | null} */
    this.shown = null;
    this.drawn = "";
    this.live = new Live("/showcase/live", null);
    this.live.addEventListener("snapshot", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    this.live.open();
  }

  /** @param {Snapshot} snapshot */
  async #take(snapshot) {
    const { view, stage } = await this.#stageFor(snapshot.game);
    const { rules, drawing_data: drawingData, moves, seats, to_move: toMove, scores } = snapshot;
    const key = `${snapshot.id}/${moves.length}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const names = seats.map((seat) => seat.name);
    stage.show(drawingData, { rules, names, moves, toMove, placing: false });
    showBar(need("[data-bar]", this.place), scores, view.total(rules), names, view.unit);
    this.#name(snapshot);
  }

  /** @param {string} game */
  async #stageFor(game) {
    if (this.shown?.game === game) return this.shown;
    const view = await loadView(game);
    if (this.shown?.game === game) return this.shown;
    const stage = new Stage(need("[data-board]", this.place), view.createBoard());
    this.shown = { game, view, stage };
    return this.shown;
  }

  /** @param {Snapshot} snapshot */
  #name({ id, seats, moves, outcome }) {
    const place = need("[data-show-names]", this.place);
    if (place.dataset.id !== id) {
      place.dataset.id = id;
      const players = seats.map(({ name }, seat) => make("span", { class: `player seat-${seat}` }, make("span", { class: "chip", "aria-hidden": "true" }), name));
      place.replaceChildren(...players, make("span", { class: "faint number", "data-show-move": true }), make("a", { href: `/games/${id}` }, "watch"));
    }
    const link = outcome ? "over" : `move ${moves.length}`;
    setText(need("[data-show-move]", place), link);
  }
}

const { games = [], showcase = true } = pageData();
if (showcase) new Showcase(need("[data-showcase]"));
for (const { name } of games) {
  const place = document.querySelector(`[data-game="${CSS.escape(name)}"] [data-miniature]`);
  if (place instanceof HTMLElement) loadView(name).then((view) => view.mountMiniature(place));
}
if (!showcase && games.length) loadView(games[0].name).then((view) => view.mountMiniature(need("[data-board]")));
