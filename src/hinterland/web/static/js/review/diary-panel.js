/**
 * What players said about their moves, in words beside the board and as marks on it. The notes of a game are fetched
 * once, when the game is over: until then the server keeps them to itself.
 */
import { get, keep, readKept, reasonOf } from "../base/api.js";
import { chip, need, setText } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t } from "../base/words.js";
import { MarkLayer } from "../game/mark-layer.js";
import { switchBox } from "../game/switches.js";

/** @import { BoardElement, Snapshot } from "../base/types.js" */
/** @import { Mark } from "../game/mark-layer.js" */
/** @import { MoveList } from "../game/move-list.js" */
/** @import { Replay } from "../game/replay.js" */
/** A player's note on a move. @typedef {{ ply: number, text: string, marks: Mark[] }} Note  ply: number of the move, from 0 */

const KEPT = "hinterland.diary-marks";

export class DiaryPanel {
  /** @type {Map<number, Note> | null} by the number of the move, from 1 */
  notes = null;
  isAsked = false;
  trouble = "";
  /** What is shown: the move, and whether its marks are on the board. */
  shown = "";
  /** @type {Snapshot | null} */
  snapshot = null;

  /** @param {string} id @param {BoardElement} board @param {Replay} replay @param {MoveList} moves */
  constructor(id, board, replay, moves) {
    this.id = id;
    this.replay = replay;
    this.moves = moves;
    this.place = need("[data-diary]");
    this.layer = new MarkLayer(board, "diary-marks");
    const box = switchBox("diary-marks", t("marks on the board"), readKept(KEPT) !== "0");
    this.input = /** @type {HTMLInputElement} */ (box.firstElementChild);
    this.input.addEventListener("change", () => {
      keep(KEPT, this.input.checked ? "1" : "0");
      replay.renew();
    });
    need(".diary-head", this.place).append(box);
    // The board may have another size now.
    board.addEventListener("painted", () => {
      this.shown = "";
      if (this.snapshot) this.show(this.snapshot);
    });
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    this.snapshot = snapshot;
    if (!snapshot.outcome || !snapshot.notes) return;
    this.#fetch();
    if (!this.notes && !this.trouble) return;
    const { ply } = this.replay;
    const key = `${ply} ${this.input.checked}`;
    if (key === this.shown) return;
    this.shown = key;
    const note = this.notes?.get(ply);
    const move = snapshot.moves[ply - 1];
    const others = sentence(this.trouble) || t("No note on this move");
    const who = note && move ? [chip(`seat-${move.seat}`), t("{name} on move {number}", { name: snapshot.seats[move.seat].name, number: ply })] : [others];
    const line = need(".diary-who", this.place);
    line.replaceChildren(...who);
    line.classList.toggle("faint", !note);
    setText(need(".diary-text", this.place), note?.text ?? "");
    this.layer.draw(this.input.checked ? (note?.marks ?? []) : []);
    this.place.hidden = false;
  }

  async #fetch() {
    if (this.isAsked) return;
    this.isAsked = true;
    try {
      /** @type {Note[]} */
      const found = await get(`/api/games/${this.id}/notes`);
      this.notes = new Map(found.map((note) => [note.ply + 1, note]));
      this.moves.markNoted(new Set(this.notes.keys()));
      const box = /** @type {HTMLElement} */ (this.input.parentElement);
      box.hidden = found.every(({ marks }) => marks.length === 0);
    } catch (error) {
      this.trouble = reasonOf(error, t("the notes could not be loaded"));
    }
    this.replay.renew();
  }
}
