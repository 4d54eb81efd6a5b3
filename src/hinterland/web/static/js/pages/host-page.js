/** The page that hosts a match: rules, seats, protocol, clock, and a button that opens the match. */
import { Refused, openMatch } from "../base/api.js";
import { need, pageData } from "../base/dom.js";
import { t } from "../base/words.js";
import { SeatForm, programOf } from "../setup/seat-form.js";
import { SetupPage } from "../setup/setup-page.js";
import { loadRules, loadView } from "./view-loader.js";

/** @import { GameEntry, GameView, Rules, RulesView } from "../base/types.js" */
/** @import { Seat } from "../setup/seat-form.js" */

const GUEST = "guest";
const OPERATED = "operated:";

/** The program chosen for a seat; null if the seat is open to guests. @param {Seat} seat */
const houseOf = (seat) => programOf(seat) ?? (seat.choice.startsWith(OPERATED) ? seat.choice.slice(OPERATED.length) : null);

class HostedSeats extends SeatForm {
  /** @param {GameEntry} game @param {() => void} changed @param {string[]} [operated]  programs that the operator has given names */
  constructor(game, changed, operated = []) {
    const seats = [0, 1].map(() => ({ choice: GUEST, name: "" }));
    const people = { [GUEST]: t("Open seat"), ...Object.fromEntries(operated.map((name) => [OPERATED + name, t("{name}, a program", { name: name.replace(/^program:/, "") })])) };
    super(game, { seats, people, programs: t("Built-in"), added: GUEST }, changed);
  }

  /** The built-in players. */
  get house() {
    return this.seats.flatMap((seat) => houseOf(seat) ?? []);
  }

  /** Names for the empty board. */
  get names() {
    return this.seats.map((seat, k) => houseOf(seat)?.replace(/^program:/, "") ?? t("player {number}", { number: k + 1 }));
  }

  /** The first seat stays open, since without guests this would be an ordinary game. @override */
  draw() {
    this.seats.sort((one, other) => Number(one.choice !== GUEST) - Number(other.choice !== GUEST));
    this.seats[0].choice = GUEST;
    super.draw();
  }

  /** @override @param {Seat} seat @param {number} k */
  select(seat, k) {
    const select = super.select(seat, k);
    select.disabled = k === 0;
    return select;
  }
}

const CLOCKS = [
  { value: "10", label: t("10 seconds") },
  { value: "60", label: t("1 minute") },
  { value: "120", label: t("2 minutes") },
  { value: "own", label: t("other") },
];
const PROTOCOLS = [
  { value: "hps", label: "hps", title: t("lines of numbers, for games with stones") },
  { value: "json", label: "json", title: t("one JSON message per line, for every game; over TCP or WebSocket") },
];
const ILLEGAL = [
  { value: "usual", label: t("protocol’s default"), title: t("hps: retries on own clock, as in the course; json: loses the game") },
  { value: "forfeit", label: t("loses the game") },
  { value: "skip", label: t("skips the turn") },
  { value: "retry", label: t("retries on own clock") },
];

/** @extends {SetupPage<HostedSeats>} */
class HostPage extends SetupPage {
  /** @param {GameEntry} game @param {RulesView} view @param {Promise<GameView>} whole */
  constructor(game, view, whole) {
    super(game, view, whole, (changed) => new HostedSeats(game, changed, programs), CLOCKS);
    const protocols = "stones" in view.defaults ? PROTOCOLS : PROTOCOLS.slice(1);
    this.offer("protocol", protocols, protocols[0].value);
    this.offer("illegal", ILLEGAL, "usual");
  }

  /** @override @param {Rules} rules */
  async start(rules) {
    const { protocol, illegal } = this.choices;
    return openMatch({
      game: this.game.name,
      players: this.seats.count,
      rules,
      house: this.seats.house,
      protocol,
      clock: { budget: this.seconds },
      illegal: illegal === "usual" ? null : illegal,
      port: portRequested(),
      tokens: /** @type {HTMLInputElement} */ (need("#tokens")).value.split(",").flatMap((name) => name.trim() || []),
    });
  }
}

/** The port, 0 for any. */
function portRequested() {
  const { value, validity } = /** @type {HTMLInputElement} */ (need("#port"));
  if (validity.valid) return Number(value);
  throw new Refused(value ? t("Port must be 1024 to 65535, not {value}", { value }) : t("Port must be a number from 1024 to 65535"));
}

const { games = [], game: name, programs = [] } = pageData();
const game = games.find((/** @type {GameEntry} */ one) => one.name === name);
const whole = loadView(game.name);
new HostPage(game, await loadRules(game.name), whole);
