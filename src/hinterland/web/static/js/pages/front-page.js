/** The front page: a game to watch, a button that starts a first game, and a card for each kind of game. */
import { leaveFor, reasonOf, readKept, startGame } from "../base/api.js";
import { buttonOf, chip, make, need, onDetail, pageData, setText, span } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { showBar } from "../board/charts.js";
import { mountMiniature } from "../board/local-game.js";
import { prepareOffline } from "../device/offline.js";
import { BoardLoader } from "../game/board-loader.js";
import { LiveConnection } from "../game/live-connection.js";
import { teachOnce } from "../setup/lesson.js";
import { loadView } from "./view-loader.js";

/** @import { GameEntry, GameView, Snapshot } from "../base/types.js" */

/** Shows the game that the server offers to watch; after its end the next game follows. */
class Showcase {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {{ game: string, view: GameView, loader: BoardLoader } | null} */
    this.shown = null;
    this.drawn = "";
    this.paused = false;
    /** @type {Snapshot | null} */
    this.latest = null;
    const live = new LiveConnection("/showcase/live", null);
    onDetail(live, "snapshot", (snapshot) => this.#take(snapshot));
    onDetail(live, "refused", (words) => this.shown || setText(need("[data-show-names]", this.place), sentence(words)));
    buttonOf("pause").addEventListener("click", ({ currentTarget }) => this.#pause(/** @type {HTMLElement} */ (currentTarget)));
    live.open();
  }

  /** Pause, or resume. During a pause the newest state is kept, to be shown on resume. @param {HTMLElement} button */
  #pause(button) {
    this.paused = !this.paused;
    button.setAttribute("aria-pressed", String(this.paused));
    if (!this.paused && this.latest) this.#take(this.latest);
  }

  /** @param {Snapshot} snapshot */
  async #take(snapshot) {
    this.latest = snapshot;
    if (this.paused) return;
    const { view, loader } = await this.#loaderFor(snapshot.game);
    const { rules, drawing_data: drawingData, moves, seats, to_move: toMove, scores } = snapshot;
    const key = `${snapshot.id}/${moves.length}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const names = seats.map(({ name }) => name);
    loader.show(drawingData, { rules, names, moves, toMove, placing: false });
    showBar(need("[data-bar]", this.place), scores, view.total(rules), names, view.unit);
    const place = need("[data-show-names]", this.place);
    if (place.dataset.id !== snapshot.id) {
      place.dataset.id = snapshot.id;
      const players = names.map((name, seat) => span(`player seat-${seat}`, chip(), name));
      place.replaceChildren(...players, make("span", { class: "faint number", "data-show-move": true }), make("a", { href: urlOf(`/games/${snapshot.id}`) }, t("Watch this game")));
    }
    setText(need("[data-show-move]", place), snapshot.outcome ? t("over") : t("Move {number}", { number: moves.length }));
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

/** Start a first game at a click on its link. Without this script the link leads to the set-up page. @param {MouseEvent} event */
function begin(event) {
  const link = event.target instanceof Element ? event.target.closest("[data-first]") : null;
  if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const game = games.find((/** @type {GameEntry} */ one) => one.name === link.dataset.first);
  loadView(game.name)
    .then((view) => startFirstGame(game, view))
    .then(leaveFor)
    .catch((error) => setText(need("[data-error]"), sentence(reasonOf(error, t("The game could not be started.")))));
}

need("main").addEventListener("click", begin);
prepareOffline();
if (showcase) new Showcase(need("[data-showcase]"));
for (const { name } of games) {
  const place = document.querySelector(`[data-game="${CSS.escape(name)}"] [data-miniature]`);
  if (place instanceof HTMLElement) loadView(name).then((view) => mountMiniature(place, view));
}
if (!showcase && games.length) loadView(games[0].name).then((view) => mountMiniature(need("[data-board]"), view));

/** Start a first game, and return its address. @param {GameEntry} game @param {GameView} view @returns {Promise<string>} */
async function startFirstGame({ name: game, levels, players }, view) {
  const name = readKept("hinterland.name")?.trim() || t("Player {number}", { number: 1 });
  const player = levels[0]?.spec ?? players[0].name;
  const seats = /** @type {const} */ ([{ kind: "person", name }, { kind: "program", player }]);
  const url = await startGame({ game, rules: view.first.rules, seats: [...seats], clock: null, seed: null });
  teachOnce(game, url.split("/").pop() ?? "");
  return url;
}
