/** The tree of a study as a list: the game's moves, and below each its variations, indented. */
import { chip, make, onClick, span } from "../base/dom.js";
import { t } from "../base/words.js";

/** @import { GameView } from "../base/types.js" */
/** @import { StudyTree } from "./study-tree.js" */

export class TreeList {
  /** @param {HTMLElement} place @param {GameView} view @param {(id: number) => void} go */
  constructor(place, view, go) {
    this.place = place;
    this.view = view;
    onClick(place, "node", (id) => go(Number(id)));
  }

  /** @param {StudyTree} tree @param {number} at  the node that is looked at */
  show(tree, at) {
    this.place.replaceChildren(...this.#rows(tree, at));
    this.place.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** The rows in reading order: after each move come the variations that replace the next move, then the next move. @param {StudyTree} tree @param {number} at */
  #rows(tree, at) {
    const rows = [];
    const waiting = tree.nodes[0].children.map((id) => ({ id, depth: 0, ply: 1 })).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { id, depth, ply } = next;
      rows.push(this.#row(tree, id, depth, ply, id === at));
      const [first, ...beside] = tree.nodes[id].children;
      const lines = [...beside.map((child) => ({ id: child, depth: depth + 1, ply: ply + 1 })).reverse()];
      if (first !== undefined) waiting.push({ id: first, depth, ply: ply + 1 });
      waiting.push(...lines);
    }
    return rows;
  }

  /** @param {StudyTree} tree @param {number} id @param {number} depth @param {number} ply @param {boolean} isHere */
  #row(tree, id, depth, ply, isHere) {
    const { move, seat, note, marks } = tree.nodes[id];
    const words = [span("ply", String(ply)), chip(`seat-${seat}`), span("", this.view.moveText(move))];
    if (note || marks.length) words.push(span("faint noted", note || t("drawing")));
    const button = make("button", { type: "button", class: "move", "data-node": id, "aria-current": isHere && "step" }, ...words);
    const row = make("li", { class: tree.isGame(id) ? "of-game" : "beside" }, button);
    row.style.setProperty("--depth", String(depth));
    return row;
  }
}
