/** The page that sets up a game: presets, rules, seats, clock, and a button that starts the game. */
import { Refused, makeChallenge, startGame } from "../base/api.js";
import { need, pageData } from "../base/dom.js";
import { formatNumber, language, t } from "../base/words.js";
import { NAMELESS, inviteFriend } from "../setup/invite-friend.js";
import { NamedSeats } from "../setup/named-seats.js";
import { RivalChoice, opponentOf } from "../setup/rival-choice.js";
import { SetupPage, radios } from "../setup/setup-page.js";
import { loadRules, loadView } from "./view-loader.js";

/** @import { ClockRequest } from "../base/api.js" */
/** @import { GameEntry, GameView, Rules, RulesView } from "../base/types.js" */

/** Limits of the server. */
const [MIN_CLOCK_S, MAX_CLOCK_S] = [0.001, 1_000_000];
const CLOCKS = [
  { value: "", label: t("none") },
  { value: "60", label: t("1 minute") },
  { value: "120", label: t("2 minutes") },
  { value: "600", label: t("10 minutes") },
  { value: "own", label: t("other") },
];

const OPENERS = [
  { value: "you", label: t("you") },
  { value: "other", label: t("opponent") },
];

const ONE = "one";
const LENGTHS = [
  { value: ONE, label: t("a single game") },
  { value: "match", label: t("a match"), title: t("each player starts once; scores are added") },
];

/** @extends {SetupPage<NamedSeats>} */
class PlayPage extends SetupPage {
  /** @param {GameEntry} game @param {RulesView} view @param {Promise<GameView>} whole @param {Rules | null} board  the options of a board to begin with */
  constructor(game, view, whole, board) {
    const opponent = opponentOf(game);
    super(game, view, whole, (changed) => new NamedSeats(game, opponent, changed), CLOCKS, board);
    this.markOpener = radios(need("[data-openers]"), "opener", OPENERS, (value) => {
      if (this.seats.youBegin !== (value === "you")) this.seats.swap();
    });
    this.offer("length", LENGTHS, ONE);
    need("[data-lengths]").addEventListener("change", () => this.changed());
    this.rivals = new RivalChoice(game, this.seats, opponent);
    this.changed();
  }

  /** @override */
  changed() {
    const { youBegin } = this.seats;
    this.rivals?.show();
    this.markOpener?.(youBegin === null ? null : youBegin ? "you" : "other");
    const isAlone = Boolean(this.rivals) && this.seats.programs !== null;
    need("[data-length-place]").hidden = !isAlone;
    if (isAlone && this.isMatch) need("[data-opener-place]").hidden = true;
  }

  /** @override @param {Rules} rules */
  async start(rules) {
    if (this.choices.clock && !(this.seconds > 0)) throw new Refused(t("Clock must be {least} to {most} seconds", { least: MIN_CLOCK_S.toLocaleString(language), most: formatNumber(MAX_CLOCK_S) }));
    const clock = this.choices.clock ? { budget: this.seconds } : null;
    if (this.seats.hasFriends) return this.#invite(rules, clock);
    const house = this.isMatch ? this.seats.programs : null;
    if (house) return makeChallenge({ game: this.game.name, rules, clock, house, name: this.seats.yourName || NAMELESS });
    return startGame({ game: this.game.name, rules, seats: this.seats.requests(), clock, seed: null });
  }

  /** Whether a match is to be played: each player starts one game, and the scores are added. */
  get isMatch() {
    return this.choices.length !== ONE;
  }

  /** Invite all other players by a link. @param {Rules} rules @param {ClockRequest} clock */
  #invite(rules, clock) {
    const { seats, game } = this;
    if (seats.others === null) throw new Refused(t("With a friend, all other seats are friends'"));
    const toAll = /** @type {HTMLInputElement} */ (need("[name=to-all]")).checked;
    return inviteFriend({ game: game.name, rules, clock, name: seats.yourName, toAll });
  }
}

const { games = [], game: name, board } = pageData();
const game = games.find((/** @type {GameEntry} */ one) => one.name === (name ?? need("main").dataset.game));
const whole = loadView(game.name);
new PlayPage(game, await loadRules(game.name), whole, board);
