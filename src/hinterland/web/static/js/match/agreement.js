/** What people who play one another agree on: another game, and hints. Other viewers only see what was agreed. */
import { buttonOf, need, onPress, setText } from "../base/dom.js";
import { formatList } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t, tn } from "../base/words.js";
import { Advice } from "../game/advice.js";

/** @import { BoardElement, MatchView, Snapshot } from "../base/types.js" */
/** @import { LiveConnection } from "../game/live-connection.js" */
/** @import { Replay } from "../game/replay.js" */

export class Agreement {
  /** @param {string} id @param {BoardElement} board @param {LiveConnection} live @param {Replay} replay */
  constructor(id, board, live, replay) {
    const wish = (/** @type {string} */ matter, /** @type {boolean} */ yes) => live.send({ type: "wish", matter, yes });
    this.advice = new Advice(`/tables/${id}`, board, replay);
    this.back = /** @type {HTMLAnchorElement} */ (need("[data-look-back]"));
    this.hints = /** @type {HTMLInputElement} */ (need("input[name=hints]"));
    this.hints.addEventListener("change", () => wish("hints", this.hints.checked));
    onPress("again", () => wish("again", true));
    onPress("part", () => wish("again", false));
  }

  /** @param {Snapshot} snapshot @param {MatchView} match */
  show(snapshot, match) {
    const { terms } = match;
    if (!terms) return;
    const own = snapshot.seats.findIndex((seat) => seat.mine);
    this.#showHints(snapshot, match, terms, own);
    this.#showAgain(snapshot, match, terms, own);
  }

  /** @param {Snapshot} snapshot @param {MatchView} match @param {NonNullable<MatchView["terms"]>} terms @param {number} own */
  #showHints({ outcome }, { key, players }, { hints, has_hints: hasHints }, own) {
    const goesOn = key !== "" && outcome === null;
    const plays = own >= 0 && goesOn;
    need("[data-agree-hints]").hidden = !plays;
    this.hints.checked = hints.includes(own);
    const others = hints.filter((player) => player !== own).map((player) => players[player].name);
    setText(need("[data-hint-words]"), !plays || hasHints || !hints.length ? "" : others.length ? tn("{names} agrees", "{names} agree", others.length, { names: formatList(others) }) : t("needs all players"));
    buttonOf("hint").hidden = !plays || !hasHints;
    /** @type {HTMLElement} */ (this.advice.heat.closest("label")).hidden = !plays || !hasHints;
    this.advice.show(plays && hasHints);
  }

  /** @param {Snapshot} snapshot @param {MatchView} match @param {NonNullable<MatchView["terms"]>} terms @param {number} own */
  #showAgain({ outcome }, { key, state, games, players }, { again, left }, own) {
    const box = need("[data-again]");
    const isBetween = key === "" ? games.length > 0 : outcome !== null;
    const place = need(key === "" ? "[data-lobby-again]" : "[data-panel-again]");
    if (box.parentElement !== place) place.append(box);
    box.hidden = !isBetween;
    const asks = isBetween && own >= 0 && state !== "over" && state !== "closed";
    const [more, part] = [buttonOf("again"), buttonOf("part")];
    more.hidden = !asks || again.includes(own);
    part.hidden = !asks;
    const wishers = again.filter((player) => player !== own).map((player) => players[player].name);
    const others = players.flatMap(({ name }, player) => (player === own || again.includes(player) ? [] : [name]));
    this.back.hidden = outcome === null || key === "";
    this.back.href = urlOf(`/games/${key}`);
    const parted = left === null ? "" : left === own ? t("You have left this match.") : t("{name} has left this match.", { name: players[left].name });
    const waits = own >= 0 && again.includes(own) ? t("Waiting for {names}.", { names: formatList(others) }) : wishers.length ? tn("{names} would like to play again.", "{names} would like to play again.", wishers.length, { names: formatList(wishers) }) : "";
    setText(need("[data-again-words]"), parted || (state === "closed" ? "" : waits));
  }
}
