/** Invites a friend: the server opens a match, and this browser keeps the key of its own seat. */
import { readKept, makeChallenge } from "../base/api.js";
import { t } from "../base/words.js";

/** @import { ClockRequest } from "../base/api.js" */
/** @import { Rules } from "../base/types.js" */

/** Name of a person who has given none. */
export const NAMELESS = t("Guest");

/**
 * Make a challenge; the friend begins the second game. Returns the address of the waiting room.
 * @param {{ game: string, rules: Rules, clock: ClockRequest, name?: string, toAll?: boolean }} request  name: as this browser knows it if none is given; toAll: whether anybody may take it
 * @returns {Promise<string>} where the waiting room is
 */
export function inviteFriend({ game, rules, clock, name = readKept("hinterland.name") ?? "", toAll = false }) {
  return makeChallenge({ game, rules, clock, name: name.trim() || NAMELESS, to_all: toAll });
}
