/** The seats of a game in this browser: you, another person on this screen, or a program. */
import { keep, kept } from "../base/api.js";
import { make } from "../base/dom.js";
import { SeatForm, program, programOf } from "./seat-form.js";

/** @import { SeatRequest } from "../base/api.js" */
/** @import { GameEntry } from "../base/types.js" */
/** @import { Seat } from "./seat-form.js" */

const LONGEST_NAME = 40;
const PEOPLE = { you: "You", person: "Another person here" };

export class NamedSeats extends SeatForm {
  /** @param {GameEntry} game @param {string} opponent @param {() => void} changed */
  constructor(game, opponent, changed) {
    const added = program(game.players.some(({ name }) => name === opponent) ? opponent : game.players[0]?.name);
    const seats = [{ choice: "you", name: kept("hinterland.name") ?? "" }, { choice: added, name: "" }];
    super(game, { seats, people: PEOPLE, programs: "Programs", added }, changed);
  }

  get names() {
    return this.requests().map((seat) => (seat.kind === "person" ? seat.name : seat.player));
  }

  /** @returns {SeatRequest[]} */
  requests() {
    return this.seats.map((seat, k) => {
      const player = programOf(seat);
      if (player !== null) return { kind: "program", player };
      return { kind: "person", name: seat.name.trim() || `Player ${k + 1}` };
    });
  }

  /** @override @param {Seat} seat @param {number} k */
  nameOf(seat, k) {
    if (programOf(seat) !== null) return null;
    const input = make("input", { type: "text", maxlength: LONGEST_NAME, "aria-label": `Name of player ${k + 1}`, placeholder: "name", autocomplete: "off" });
    input.value = seat.name;
    input.addEventListener("input", () => {
      seat.name = input.value;
      if (seat.choice === "you") keep("hinterland.name", input.value);
    });
    return input;
  }
}
