/** The texts about answers to puzzles. */
import { formatNumber, formatGain, percent } from "../base/format.js";
import { t } from "../base/words.js";

/** @typedef {{ right: boolean, worth: number, loss: number, share: number | null }} Judgement  as the server gives it */

/** A right answer reads `+5,012 cells`, or in a game of differences its result. @param {Judgement} judgement @param {string} unit */
export function verdictText({ right, worth, loss, share }, unit) {
  if (share === null) return right ? t("Right: every other line loses dots.") : t("Not that one: it gives {loss} away.", { loss: `${formatNumber(loss)} ${unit}` });
  const told = { gain: `${formatGain(worth)} ${unit}`, share: percent(share) };
  if (!right) return t("Not enough: {gain}, {share} of what the best move wins.", told);
  return loss ? t("Right: {gain}, {share} of what the best move wins.", told) : t("Right: {gain}, the best possible.", told);
}

/** @param {number} worth @param {string} unit @param {boolean} isGain */
export const answerText = (worth, unit, isGain) => (isGain ? t("The answer: {gain}.", { gain: `${formatGain(worth)} ${unit}` }) : t("The answer: every other line loses dots."));

/** Beside an answer in the list. @param {Judgement} judgement @param {string} unit */
export const attemptText = ({ loss, share }, unit) => (share === null ? (loss ? `−${formatNumber(loss)} ${unit}` : t("gives nothing away")) : percent(share));
