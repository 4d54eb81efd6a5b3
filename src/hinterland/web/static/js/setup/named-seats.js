/** Who sits in the seats of a game: you, another person on this device, a friend, or a program. */
import { keep, readKept } from "../base/api.js";
import { make } from "../base/dom.js";
import { t } from "../base/words.js";
import { SeatForm, program, programOf } from "./seat-form.js";

/** @import { SeatRequest } from "../base/api.js" */
/** @import { GameEntry } from "../base/types.js" */
/** @import { Seat } from "./seat-form.js" */

const MAX_NAME_LENGTH = 40;
export const FRIEND = "friend";
const PEOPLE = { you: t("You"), person: t("Another person on this device"), [FRIEND]: t("A friend, by a link") };
const YOU = "you";

export class NamedSeats extends SeatForm {
  /** @param {GameEntry} game @param {string} opponent @param {() => void} changed */
  constructor(game, opponent, changed) {
    const isKnown = [...game.levels.map(({ spec }) => spec), ...game.players.map(({ name }) => name)].includes(opponent);
    const added = program(isKnown ? opponent : game.players[0]?.name);
    const seats = [{ choice: YOU, name: readKept("hinterland.name") ?? "" }, { choice: added, name: "" }];
    super(game, { seats, people: PEOPLE, programs: t("Other bots"), added }, changed);
  }

  get names() {
    return this.requests().map((seat) => (seat.kind === "person" ? seat.name : seat.player));
  }

  /** What is chosen for all seats but yours; null if you do not play or the seats differ. */
  get others() {
    const [one, ...more] = this.seats.flatMap(({ choice }) => (choice === YOU ? [] : choice));
    return more.length + 2 === this.seats.length && more.every((choice) => choice === one) ? one : null;
  }

  /** The programs in all seats but yours; null if you do not play or another person plays. @returns {string[] | null} */
  get programs() {
    const others = this.seats.filter(({ choice }) => choice !== YOU);
    const programs = others.flatMap((seat) => programOf(seat) ?? []);
    return others.length + 1 === this.seats.length && programs.length === others.length ? programs : null;
  }

  /** Give all seats but yours to opponents of one kind. @param {string} choice */
  seatOthers(choice) {
    if (!this.seats.some((seat) => seat.choice === YOU)) this.seats[0].choice = YOU;
    const [you] = this.seats.filter((seat) => seat.choice === YOU);
    for (const seat of this.seats) if (seat !== you) seat.choice = choice;
    this.offer.added = choice;
    this.draw();
    this.changed();
  }

  /** Whether a friend is invited; such a game has a key for each seat. */
  get hasFriends() {
    return this.seats.some(({ choice }) => choice === FRIEND);
  }

  /** Your own name; empty if you have given none. */
  get yourName() {
    return this.seats.find(({ choice }) => choice === YOU)?.name.trim() ?? "";
  }

  /** Whether you start; null if you do not play. */
  get youBegin() {
    const place = this.seats.findIndex(({ choice }) => choice === YOU);
    return place < 0 ? null : place === 0;
  }

  /** Swap the first two seats, and with them who starts. */
  swap() {
    const [first, second] = this.seats;
    this.seats.splice(0, 2, second, first);
    this.draw();
    this.changed();
  }

  /** @returns {SeatRequest[]} */
  requests() {
    return this.seats.map((seat, k) => {
      const player = programOf(seat);
      if (player !== null) return { kind: "program", player };
      return { kind: "person", name: seat.name.trim() || t("Player {number}", { number: k + 1 }) };
    });
  }

  /** @override @param {Seat} seat @param {number} k */
  nameOf(seat, k) {
    if (programOf(seat) !== null || seat.choice === FRIEND) return null;
    const input = make("input", { type: "text", maxlength: MAX_NAME_LENGTH, "aria-label": t("Name of player {number}", { number: k + 1 }), placeholder: t("name"), autocomplete: "off" });
    input.value = seat.name;
    input.addEventListener("input", () => {
      seat.name = input.value;
      if (seat.choice === YOU) keep("hinterland.name", input.value);
    });
    return input;
  }
}
