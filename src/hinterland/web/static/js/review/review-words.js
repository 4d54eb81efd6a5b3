/** What a review comes to, in words. */
import { counted, listed } from "../base/format.js";

/** @import { GameView, MoveReview, Review } from "../base/types.js" */
/** @typedef {{ seat: number | null, words: string, moves: number[], more: string }} Verdict  losing moves to be named after the words */

const MOST_NAMED = 5;
const MOST_OTHERS = 2;

/** What lost the game to whom. @param {Review} review @returns {Verdict[]} */
export function verdicts({ players, behind, losing, moves, winners }) {
  if (!winners.length) return [plain("The game does not count: nobody lost it.")];
  const short = players.map((name, seat) => ({ seat, name, behind: behind[seat], numbers: losing.filter((number) => moves[number - 1].seat === seat) }));
  /** @type {Verdict[]} */
  const told = short.filter(({ numbers }) => numbers.length).map(({ seat, name, behind: lacked, numbers }) => {
    const words = `${name} was ${counted(lacked ?? 0)} short. Losing ${numbers.length === 1 ? "move" : "moves"}: `;
    const more = numbers.length > MOST_NAMED ? `and ${numbers.length - MOST_NAMED} more` : "";
    return { seat, words, moves: numbers.slice(0, MOST_NAMED), more };
  });
  const others = short.filter(({ behind: lacked, numbers }) => lacked && !numbers.length).map(({ name, behind: lacked }) => `${name} (${counted(lacked ?? 0)} short)`);
  const known = moves.every(({ loss }) => loss !== null) ? "" : "is known that ";
  const rest = others.length > MOST_OTHERS ? `anyone${told.length ? " else" : ""}` : listed(others);
  if (others.length) told.push(plain(`No single move ${known}lost it for ${rest}.`));
  const left = short.filter((one) => one.behind === null).map(({ name }) => name);
  if (left.length) told.push(plain(`${listed(left)} left the game.`));
  return told.length ? told : [plain("Nobody lost.")];
}

/** @param {string} words */
const plain = (words) => ({ seat: null, words, moves: [], more: "" });

/** One move: `Move 7, blue: gained 31,204 of the best 55,310, at 412,388.` @param {MoveReview} row @param {Review} review @param {GameView} view */
export function moveWords({ number, seat, gain, best, best_gain: most, loss, losing }, { players, measure }, view) {
  const who = `${losing ? "Losing move" : "Move"} ${number}, ${players[seat]}:`;
  if (loss === null || best === null) return `${who} gained ${counted(gain)}; the best is not known.`;
  if (measure === "value") return loss ? `${who} ${counted(loss)} worse than ${view.moveText(best)}.` : `${who} as good as any.`;
  return loss ? `${who} gained ${counted(gain)} of the best ${counted(most ?? 0)}, at ${view.moveText(best)}.` : `${who} gained ${counted(gain)}, the most there was.`;
}

/** How the game would have ended with the best move and all others as they were. @param {MoveReview} row @param {Review} review */
export function aftermath({ seat, loss, instead }, { measure, behind }) {
  if (!loss || measure === "value") return "";
  if (!instead) return "After that one, the others could not all have been made.";
  const lead = instead[seat] - Math.max(...instead.filter((_, other) => other !== seat && behind[other] !== null));
  const end = lead > 0 ? `${counted(lead)} ahead` : lead < 0 ? `${counted(-lead)} behind` : "level";
  return `With it, and all else as played, ${end} in the end.`;
}
