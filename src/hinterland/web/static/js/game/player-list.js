/** The seats of a game: name, clock, score. */
import { chip, make, need, setText, span } from "../base/dom.js";
import { clockText, formatNumber, shares } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { sparkline } from "../board/charts.js";
import { reasonText } from "./game-status.js";
import { historyOf, scoresAt } from "./snapshot.js";

/** @import { Seat, Snapshot } from "../base/types.js" */
/** @import { Reading } from "./snapshot.js" */

/** Show the name of a player; after the game the name links to the player's page. @param {HTMLElement} place @param {Seat} seat @param {boolean} isOver */
function showName(place, { name, page }, isOver) {
  const url = isOver && page ? urlOf(`/players/${page}`) : null;
  place.title = name;
  if ((place.querySelector("a")?.getAttribute("href") ?? null) === url && place.textContent === name) return;
  place.replaceChildren(url ? make("a", { href: url }, name) : name);
}

export class PlayerList {
  /** @param {HTMLElement} list @param {string} unit */
  constructor(list, unit) {
    this.list = list;
    this.unit = unit;
    this.drawn = "";
  }

  /** @param {Snapshot} snapshot @param {number} ply @param {number} total */
  show(snapshot, ply, total) {
    const { seats, withdrawn } = snapshot;
    this.list.dataset.crowd = seats.length > 4 ? "many" : seats.length > 2 ? "some" : "few";
    this.list.style.setProperty("--digits", String(formatNumber(Math.max(1, total - 1)).length));
    const scores = scoresAt(snapshot, ply);
    const told = shares(scores, total);
    const isLatest = ply === snapshot.moves.length;
    const mover = isLatest ? snapshot.to_move : null;
    const winners = (isLatest && snapshot.outcome?.winners) || [];
    const most = Math.max(1, ...scores);
    const isAhead = scores.filter((score) => score === most).length === 1;
    this.#rows(seats.length).forEach((row, k) => {
      const left = withdrawn.find((one) => one.seat === k);
      const won = winners.length === seats.length ? t("drawn") : t("won");
      showName(need(".name", row), seats[k], snapshot.outcome !== null);
      setText(need(".cells", row), formatNumber(scores[k]));
      setText(need(".share", row), told[k]);
      need(".share", row).toggleAttribute("data-formatNumber", told[k] === formatNumber(scores[k]));
      setText(need(".state", row), left ? reasonText(left.reason) : k === mover ? t("to move") : winners.includes(k) ? won : "");
      row.toggleAttribute("data-to-move", k === mover);
      row.toggleAttribute("data-won", winners.includes(k));
      row.toggleAttribute("data-withdrawn", left !== undefined);
      row.toggleAttribute("data-leads", isAhead && scores[k] === most);
    });
    this.#sparks(snapshot, ply);
  }

  /** The rows of all seats. @param {number} count */
  #rows(count) {
    for (let seat = this.list.children.length; seat < count; seat++) {
      const clock = make("span", { class: "clock number", role: "timer" });
      const area = span("area", span("cells number"), span("unit", ` ${this.unit}`), span("share number"));
      this.list.append(make("li", { class: `seat seat-${seat}`, "data-seat": seat }, chip(), span("name"), span("state"), clock, area, span("chart")));
    }
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  /** @param {Snapshot} snapshot @param {number} ply */
  #sparks(snapshot, ply) {
    const { length } = snapshot.seats;
    const history = historyOf(snapshot);
    const key = `${ply}/${history.join(";")}`;
    if (key === this.drawn) return;
    this.drawn = key;
    // The first stones own nearly the whole board, so the scale fits the areas after each seat has placed one stone.
    const most = Math.max(...history.slice(length).flat(), 1);
    this.#rows(length).forEach((row, k) => {
      const values = history.map((scores) => Math.min(most, scores[k]));
      need(".chart", row).replaceChildren(sparkline(values, most, ply));
    });
  }

  /** @param {Reading[]} readings */
  tick(readings) {
    readings.forEach(({ ms, running, urgent }, k) => {
      const clock = this.list.children[k]?.querySelector(".clock");
      if (!clock) return;
      setText(clock, clockText(ms));
      clock.classList.toggle("running", running);
      clock.classList.toggle("urgent", urgent);
    });
  }
}
