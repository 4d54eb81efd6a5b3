/** Opens game files that are pasted, dropped or chosen. If a file has several games, the viewer chooses one of them. */
import { make, need, onPress, setText, whileBusy } from "../base/dom.js";
import { formatNumber, t, tn } from "../base/words.js";

/** @typedef {{ text: string, words: string, isRecord: boolean }} Line */

const MAX_MB = 32;
const MAX_LISTED = 1000;

/** The text of a file. Throws an error with a sentence for the viewer if the file is too large. @param {File} file */
async function textOf(file) {
  if (file.size > MAX_MB * 1024 * 1024) {
    throw new RangeError(t("This file has {size} MB, {most} at most: open a file with one game", { size: formatNumber(Math.ceil(file.size / 1024 / 1024)), most: MAX_MB }));
  }
  return file.text();
}

/** @param {string} text @returns {string[]} */
const linesOf = (text) => text.split("\n").filter((line) => line.trim());

/** What a line says about its game, unchecked. @param {string} text @returns {Line} */
function described(text) {
  try {
    const { game, players, scores, times } = JSON.parse(text);
    const names = players.map((/** @type {unknown} */ name, /** @type {number} */ seat) => `${short(name)} ${formatNumber(Number(scores[seat]))}`);
    return { text, isRecord: true, words: `${names.join(" – ")} · ${short(game)} · ${short(times.started).slice(0, 10)}` };
  } catch {
    return { text, isRecord: false, words: t("not a game, or a damaged one") };
  }
}

/** @param {unknown} value */
const short = (value) => String(value).slice(0, 40);

export class RecordOpener {
  place = need("[data-open]");
  field = /** @type {HTMLTextAreaElement} */ (need("[data-record]"));
  file = /** @type {HTMLInputElement} */ (need("[data-record-file]"));
  list = need("[data-record-list]");

  /** @param {(text: string) => Promise<void>} open  throws an error with a sentence if the text is no record */
  constructor(open) {
    this.open = open;
    onPress("open-record", () => this.take(async () => this.field.value));
    this.file.addEventListener("change", () => this.#takeFile(this.file.files?.[0]));
    this.place.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.place.classList.add("dropping");
    });
    this.place.addEventListener("dragleave", () => this.place.classList.remove("dropping"));
    this.place.addEventListener("drop", (event) => {
      event.preventDefault();
      this.place.classList.remove("dropping");
      const { files, items } = /** @type {DataTransfer} */ (event.dataTransfer);
      if (files.length) this.#takeFile(files[0]);
      else items[0]?.getAsString((text) => this.take(async () => text));
    });
  }

  /** @param {File | undefined} file */
  #takeFile(file) {
    if (file) this.take(() => textOf(file));
    this.file.value = "";
  }

  /** Open the game of a text; if the text has several games, offer a choice. @param {() => Promise<string>} read */
  take(read) {
    this.tell("");
    this.list.replaceChildren();
    return whileBusy(/** @type {HTMLButtonElement} */ (need("[data-act=open-record]")), () =>
      read()
        .then((text) => {
          const lines = linesOf(text);
          if (lines.length > 1) return this.#choose(lines);
          return this.open(lines[0] ?? "");
        })
        .catch((error) => this.tell(error.message)),
    );
  }

  /** @param {string[]} lines */
  #choose(lines) {
    const rows = lines.slice(0, MAX_LISTED).map(described).map(({ text, words, isRecord }, k) => {
      const button = make("button", { type: "button", class: "quiet record-line", disabled: !isRecord }, `${k + 1}. ${words}`);
      button.addEventListener("click", () => this.open(text).catch((error) => this.tell(error.message)));
      return make("li", {}, button);
    });
    const asked = tn("{count} line. Which game?", "{count} lines. Which game?", lines.length);
    const more = lines.length > MAX_LISTED ? ` ${t("The first {most}:", { most: formatNumber(MAX_LISTED) })}` : "";
    this.list.replaceChildren(make("p", {}, asked + more), make("ol", { tabindex: 0, "aria-label": t("Games in the file") }, ...rows));
  }

  /** @param {string} words */
  tell(words) {
    setText(need("[data-open-error]"), words);
  }
}
