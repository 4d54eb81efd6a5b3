/** The texts of a review. */
import { formatNumber, formatList } from "../base/format.js";
import { t, tn } from "../base/words.js";

/** @import { GameView, MoveReview, Review } from "../base/types.js" */
/** @typedef {{ seat: number | null, words: string, moves: number[], more: string }} Verdict  losing moves to be named after the words */

const MAX_NAMED = 5;
const MAX_OTHERS = 2;

/** Who lost the game by which moves, in words. @param {Review} review @returns {Verdict[]} */
export function verdicts({ players, behind, losing, moves, winners }) {
  if (!winners.length) return [plain(t("The game does not count: nobody lost it."))];
  const short = players.map((name, seat) => ({ seat, name, behind: behind[seat], numbers: losing.filter((number) => moves[number - 1].seat === seat) }));
  /** @type {Verdict[]} */
  const told = short.filter(({ numbers }) => numbers.length).map(({ seat, name, behind: lacked, numbers }) => {
    const amounts = { name, short: formatNumber(lacked ?? 0) };
    const lost = tn("{name} lost by {short}. Losing move:", "{name} lost by {short}. Losing moves:", numbers.length, amounts);
    const words = `${lost} `;
    const more = numbers.length > MAX_NAMED ? t("and {count} more", { count: numbers.length - MAX_NAMED }) : "";
    return { seat, words, moves: numbers.slice(0, MAX_NAMED), more };
  });
  const others = short.filter(({ behind: lacked, numbers }) => lacked && !numbers.length).map(({ name, behind: lacked }) => t("{name} (lost by {short})", { name, short: formatNumber(lacked ?? 0) }));
  const isKnown = moves.every(({ loss }) => loss !== null);
  const names = others.length > MAX_OTHERS ? (told.length ? t("anyone else") : t("anyone")) : formatList(others);
  if (others.length) told.push(plain(isKnown ? t("No single move lost it for {names}.", { names }) : t("No single move is known that lost it for {names}.", { names })));
  const left = short.filter((one) => one.behind === null).map(({ name }) => name);
  if (left.length) told.push(plain(tn("{names} left the game.", "{names} left the game.", left.length, { names: formatList(left) })));
  return told.length ? told : [plain(t("Nobody lost."))];
}

/** @param {string} words */
const plain = (words) => ({ seat: null, words, moves: [], more: "" });

/** A move in words: `Move 7, blue: won 31,204; the best move, 412,388, wins 55,310.` @param {MoveReview} row @param {Review} review @param {GameView} view */
export function moveWords({ number, seat, gain, best, best_gain: most, loss, losing }, { players, measure }, view) {
  const about = { number, name: players[seat] };
  const who = losing ? t("Losing move {number}, {name}:", about) : t("Move {number}, {name}:", about);
  return `${who} ${worthText({ gain: formatNumber(gain), loss, best: best && view.moveText(best), most: formatNumber(most ?? 0) }, measure)}`;
}

/** @param {{ gain: string, loss: number | null, best: string | null, most: string }} worth @param {Review["measure"]} measure */
function worthText({ gain, loss, best, most }, measure) {
  if (loss === null || best === null) return t("won {gain}; the best move is not known.", { gain });
  if (measure === "value") return loss ? t("{loss} worse than {move}.", { loss: formatNumber(loss), move: best }) : t("as good as any.");
  return loss ? t("won {gain}; the best move, {move}, wins {most}.", { gain, most, move: best }) : t("won {gain}, the most possible now.", { gain });
}

/** How the game would have ended if the best move replaced this move and no other move changed. @param {MoveReview} row @param {Review} review */
export function aftermath({ seat, loss, instead }, { measure, behind }) {
  if (!loss || measure === "value") return "";
  if (!instead) return t("After that move the rest of the game could not have gone the same way.");
  const lead = instead[seat] - Math.max(...instead.filter((_, other) => other !== seat && behind[other] !== null));
  if (lead > 0) return t("With it, and everything else unchanged, {lead} ahead at the end.", { lead: formatNumber(lead) });
  return lead ? t("With it, and everything else unchanged, {lead} behind at the end.", { lead: formatNumber(-lead) }) : t("With it, and everything else unchanged, level at the end.");
}
