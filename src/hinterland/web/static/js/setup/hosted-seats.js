/** The seats of a hosted match: open seats first, then built-in players and the operator's programs. */
import { t } from "../base/words.js";
import { SeatForm, programOf } from "./seat-form.js";

/** @import { GameEntry } from "../base/types.js" */
/** @import { Seat } from "./seat-form.js" */

const GUEST = "guest";
const OPERATED = "operated:";

/** The player of a seat that is not open, if any. @param {Seat} seat */
const houseOf = (seat) => programOf(seat) ?? (seat.choice.startsWith(OPERATED) ? seat.choice.slice(OPERATED.length) : null);

export class HostedSeats extends SeatForm {
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

  /** The first seat stays open: without guests this would be an ordinary game. @override */
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
