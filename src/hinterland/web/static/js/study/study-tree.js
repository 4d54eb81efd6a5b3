/** A game and its variations as a tree of moves; the game's own moves come first and cannot be deleted. */
import { formatNumber, t } from "../base/words.js";

/** @import { Move, Snapshot } from "../base/types.js" */

/** A study in a link: compressed JSON in the link's fragment, which browsers do not send to a server. @typedef {{ study: Study, record?: string }} Linked */

/** Most characters of the fragment, since messengers and mail programs may cut longer links. */
export const MAX_LINK_LENGTH = 16_000;
const MAX_STUDY_BYTES = 4 * 1024 * 1024;

/** Encode a study for a link; null if it would be too long. @param {Linked} linked @returns {Promise<string | null>} */
export async function encodeStudy(linked) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(linked)), new CompressionStream("deflate-raw"));
  if (bytes.length > MAX_LINK_LENGTH) return null;
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length > MAX_LINK_LENGTH ? null : text;
}

/** Decode the study of a link; throws if it is invalid. @param {string} text @returns {Promise<Linked>} */
export async function decodeStudy(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream */
async function through(bytes, stream) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length > MAX_STUDY_BYTES) throw new RangeError("The link is too long");
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}

/** @typedef {{ points: number[], value?: number }} Mark  points, as shares of the board: x, y of a circle; or x, y, x, y of an arrow */
/** A player's note on a move. @typedef {{ ply: number, text: string, marks: { points: number[], value: number | null }[] }} Note  ply: number of the move, from 0 */
/** @typedef {{ id: number, parent: number, move: Move, seat: number, scores: number[] | null, toMove: number | null | undefined, children: number[], note: string, marks: Mark[] }} Node */
/**
 * A study as a record holds it. Nodes are numbered: 0 is the start, then come the game's moves, then `moves`.
 * @typedef {{ moves: { after: number, move: Move }[], comments: { node: number, text: string }[], marks: { node: number, points: number[], value?: number }[] }} Study
 */

export const MAX_MOVES = 2000;
const MAX_COMMENT_LENGTH = 2000;
const MAX_MARKS = 4000;

/** The circle or arrows of a player's mark; its value stands at the first. @param {Note["marks"][number]} mark @returns {Mark[]} */
function segments({ points, value }) {
  const made = points.length === 2 ? [points] : points.slice(0, -2).flatMap((_, k) => (k % 2 ? [] : [points.slice(k, k + 4)]));
  return made.map((part, k) => (k || value === null ? { points: part } : { points: part, value }));
}

export class StudyTree {
  /** @type {Node[]} by id; one that was deleted is left out of its parent's children */
  nodes = [];

  /** @param {Snapshot} game */
  constructor({ moves, seats }) {
    this.#push(-1, [], -1, seats.map(() => 0), moves[0]?.seat);
    moves.forEach((one, k) => this.#push(k, one.move, one.seat, one.scores, moves[k + 1]?.seat));
    this.length = moves.length;
  }

  /** @param {number} parent @param {Move} move @param {number} seat @param {number[] | null} scores @param {number | null} [toMove] */
  #push(parent, move, seat, scores, toMove) {
    const id = this.nodes.length;
    this.nodes.push({ id, parent, move, seat, scores, toMove, children: [], note: "", marks: [] });
    this.nodes[parent]?.children.push(id);
    return id;
  }

  /** The node to which a move leads from `parent`; it is made if there is none. @param {number} parent @param {Move} move @returns {number} */
  add(parent, move) {
    const same = this.nodes[parent].children.find((id) => String(this.nodes[id].move) === String(move));
    if (same !== undefined) return same;
    if (this.nodes.length > this.length + MAX_MOVES) throw new RangeError(t("A study has at most {most} moves", { most: formatNumber(MAX_MOVES) }));
    return this.#push(parent, move, -1, null);
  }

  /** Delete a node and its descendants; the moves of the game stay. @param {number} id @returns {number} the node to show next */
  remove(id) {
    if (this.isGame(id)) return id;
    const { parent } = this.nodes[id];
    this.nodes[parent].children = this.nodes[parent].children.filter((child) => child !== id);
    return parent;
  }

  /** Whether a node is a move of the game itself. @param {number} id */
  isGame = (id) => id <= this.length;

  /** The nodes from the first move to a node. @param {number} id @returns {Node[]} */
  line(id) {
    const line = [];
    for (let at = id; at > 0; at = this.nodes[at].parent) line.unshift(this.nodes[at]);
    return line;
  }

  /** The way to a node: first `ply` moves of the game, then the moves `nodes` of the variation. @param {number} id */
  branch(id) {
    const line = this.line(id);
    const own = line.filter((node) => !this.isGame(node.id));
    return { ply: line.length - own.length, nodes: own };
  }

  /** The study: all moves that are not the game's own, comments and marks. @returns {Study} */
  study() {
    /** @type {Map<number, number>} */
    const numbers = new Map(this.nodes.slice(0, this.length + 1).map(({ id }) => [id, id]));
    /** @type {Study} */
    const said = { moves: [], comments: [], marks: [] };
    const waiting = [0];
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const { parent, move, note, marks, children } = this.nodes[id];
      if (!this.isGame(id)) {
        numbers.set(id, this.length + 1 + said.moves.length);
        said.moves.push({ after: numbers.get(parent) ?? 0, move });
      }
      const node = numbers.get(id) ?? 0;
      if (note) said.comments.push({ node, text: note });
      said.marks.push(...marks.map((mark) => ({ node, ...mark })));
      waiting.push(...children);
    }
    return said;
  }

  /** Load a study as `study` returns it; throws if it is invalid. @param {Study} said */
  apply({ moves, comments, marks }) {
    const ids = this.nodes.map(({ id }) => id);
    for (const { after, move } of moves) {
      if (ids[after] === undefined || !move.every(Number.isSafeInteger)) throw new RangeError("the study is damaged");
      ids.push(this.add(ids[after], move));
    }
    for (const { node, text } of comments) this.nodes[ids[node]].note = String(text).slice(0, MAX_COMMENT_LENGTH);
    for (const { node, points, value } of marks) {
      if (points.every(Number.isFinite)) this.nodes[ids[node]].marks.push(Number.isFinite(value) ? { points, value } : { points });
    }
  }

  /** Make comments and marks of the players' notes, each at its move; a line becomes arrows. @param {Note[]} notes */
  takeOver(notes) {
    let left = MAX_MARKS;
    for (const { ply, text, marks } of notes) {
      const node = this.nodes[ply + 1];
      if (!node || !this.isGame(node.id)) continue;
      node.note = text;
      node.marks = marks.flatMap(segments).slice(0, left);
      left -= node.marks.length;
    }
  }
}
