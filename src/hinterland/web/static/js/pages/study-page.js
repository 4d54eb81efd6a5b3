/** The page of a study: of a game of the arena, of a game file in a link, or of a game file opened on this page. */
import { get, openRecord, reasonOf } from "../base/api.js";
import { need, pageData, setText } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { t } from "../base/words.js";
import { RecordOpener } from "../study/record-opener.js";
import { StudiedGame, StudyBoard } from "../study/study-board.js";
import { decodeStudy } from "../study/study-tree.js";
import { loadView } from "./view-loader.js";

/** @import { Snapshot } from "../base/types.js" */
/** @import { Linked, Study } from "../study/study-tree.js" */

/** @param {StudiedGame} source @param {Snapshot} game @param {Study | null | undefined} study */
async function show(source, game, study) {
  const board = new StudyBoard(source, await loadView(game.game), game);
  try {
    if (study) board.tree.apply(study);
  } catch {
    board.forget();
    setText(need("[data-error]"), t("The study is damaged; here is the game without it."));
  }
  if (!study && game.notes) board.tree.takeOver(await get(`${source.url}/notes`).catch(() => []));
  const wanted = new URLSearchParams(location.search);
  const at = Number(wanted.get("node") ?? wanted.get("ply") ?? game.moves.length);
  board.go(board.tree.nodes[at] ? at : game.moves.length);
}

/** Study a game file; throws an error with a sentence for the viewer if the file is invalid. @param {string} record @param {Study} [linked]  instead of the study in it */
async function bring(record, linked) {
  const told = await openRecord(record).catch((error) => {
    throw new RangeError(sentence(reasonOf(error, t("the game file could not be opened"))));
  });
  need("[data-open]").hidden = true;
  need("[data-studying]").hidden = false;
  document.body.classList.add("playing");
  await show(new StudiedGame(`/api/studies/${told.id}`, record), told, linked ?? told.study);
}

/** @type {Linked | null} */
const linked = location.hash.length > 1 ? await decodeStudy(location.hash.slice(1)).catch(() => null) : null;
const { id } = pageData();
if (id) {
  /** @type {any} if the link is damaged: an object that is no study */
  const nothing = location.hash.length > 1 ? {} : null;
  await show(new StudiedGame(`/api/games/${id}`), await get(`/api/games/${id}`), linked ? linked.study : nothing);
} else {
  const opener = new RecordOpener((text) => bring(text));
  if (linked?.record) await bring(linked.record, linked.study).catch((error) => opener.tell(error.message));
  else if (location.hash.length > 1) opener.tell(t("The study in this link is damaged."));
}
document.body.dataset.study = "ready";
