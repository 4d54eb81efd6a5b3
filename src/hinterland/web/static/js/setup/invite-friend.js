/** Inviting a friend: the server opens a table, and this browser keeps the key of its own seat at it. */
import { readKept, makeChallenge } from "../base/api.js";
import { t } from "../base/words.js";

/** @import { ClockRequest } from "../base/api.js" */
/** @import { Rules } from "../base/types.js" */

/** What somebody is called who has given no name. */
export const NAMELESS = t("Guest");

/**
 * Make a challenge; who is asked begins the second game. Leads to the waiting room, where the link is.
 * @param {{ game: string, rules: Rules, clock: ClockRequest, name?: string, toAll?: boolean }} request  name: as this browser knows it if none is given; toAll: whether anybody may take it
 * @returns {Promise<string>} where the waiting room is
 */
export function inviteFriend({ game, rules, clock, name = readKept("hinterland.name") ?? "", toAll = false }) {
  return makeChallenge({ game, rules, clock, name: name.trim() || NAMELESS, to_all: toAll });
}
