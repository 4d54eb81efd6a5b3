/** The dialog that shares a game: its link, its embed code, and videos, posters and pictures drawn by the server. */
import { download, reasonOf, saveFile } from "../base/api.js";
import { need, setText, whileBusy } from "../base/dom.js";
import { sentence } from "../base/format.js";
import { urlOf } from "../base/place.js";
import { t } from "../base/words.js";
import { prepareCopy } from "./copying.js";

/** @import { Replay } from "../game/replay.js" */

export class ShareDialog {
  dialog = /** @type {HTMLDialogElement} */ (need("#share"));
  form = /** @type {HTMLFormElement} */ (need("[data-take-home]", this.dialog));
  error = need("[data-share-error]", this.dialog);
  asking = new AbortController();

  /** @param {string} id @param {Replay} replay */
  constructor(id, replay) {
    this.id = id;
    this.replay = replay;
    const frame = `<iframe src="${location.origin}${urlOf(`/embed/${id}`)}" width="480" height="760" title="${t("A game at Hinterland")}" loading="lazy"></iframe>`;
    prepareCopy("link", () => location.href, t("link copied"));
    prepareCopy("embed", () => frame, t("copied"));
    this.form.addEventListener("change", () => this.#show());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#take();
    });
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => this.asking.abort());
  }

  open() {
    if (this.dialog.open) return;
    this.dialog.showModal();
    need("[data-card-of-move]", this.dialog).setAttribute("src", urlOf(this.#url("card.png", this.#moment("shown"))));
    this.#show();
  }

  /** Show only the options of the chosen kind of file. */
  #show() {
    const kind = String(new FormData(this.form).get("kind"));
    const family = kind === "gif" || kind === "mp4" ? "film" : kind.split(".")[0];
    for (const part of this.form.querySelectorAll("[data-for]")) {
      const isWanted = /** @type {HTMLElement} */ (part).dataset.for?.split(" ").includes(family) ?? false;
      part.toggleAttribute("hidden", !isWanted);
      part.toggleAttribute("disabled", !isWanted);
    }
    setText(this.error, "");
  }

  /** @param {string} moment @returns {Record<string, string>} */
  #moment = (moment) => (moment === "shown" && !this.replay.isLatest ? { ply: String(this.replay.ply) } : {});

  /** @param {string} kind @param {Record<string, string>} chosen */
  #url = (kind, chosen) => `/games/${this.id}.${kind}?${new URLSearchParams(chosen)}`;

  #take() {
    const { kind, moment, ...chosen } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
    const button = /** @type {HTMLButtonElement} */ (need("button.primary", this.form));
    setText(this.error, "");
    this.asking = new AbortController();
    whileBusy(button, async () => {
      setText(button, t("Drawing …"));
      const url = this.#url(kind, { ...chosen, ...this.#moment(moment), download: "1" });
      await download(url, this.asking.signal).then(saveFile, (error) => {
        if (!this.asking.signal.aborted) setText(this.error, sentence(reasonOf(error, t("it could not be drawn"))));
      });
      setText(button, t("Download"));
    });
  }
}
