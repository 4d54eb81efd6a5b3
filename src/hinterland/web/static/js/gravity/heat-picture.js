/** The heat map of gravity: the server's picture of what each stone would gain, and a legend from the smallest to the largest gain. */
import { fetchPrepared } from "../base/api.js";
import { make } from "../base/dom.js";
import { Legend } from "../board/legend.js";

const SIGNATURE = 8;
/** Bytes of a PNG chunk besides its content: length, name and checksum. */
const FRAME = 12;

export class HeatPicture {
  canvas = make("canvas", { class: "heat", "aria-hidden": "true", hidden: true });
  legend = new Legend();
  /** Address of the heat map requested last; a heat map from any other address is dropped. */
  #url = "";

  /** Show the heat map at an address; null hides the heat map. @param {string | null} url @param {[number, number][]} places  of stones, in the unit square */
  async show(url, places) {
    this.#url = url ?? "";
    this.canvas.hidden = true;
    this.legend.show([], []);
    if (!url) return;
    const answer = await fetchPrepared(url, { headers: { Accept: "application/json, image/png" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const file = await answer.arrayBuffer();
    const picture = await createImageBitmap(new Blob([file], { type: "image/png" }));
    if (url !== this.#url) return;
    this.canvas.width = this.canvas.height = picture.width;
    this.canvas.getContext("2d")?.drawImage(picture, 0, 0);
    this.canvas.hidden = false;
    const { least, most } = textsOf(new DataView(file));
    this.legend.show([Number(least), Number(most)], places);
  }
}

/** The texts in a PNG. @param {DataView} png @returns {Record<string, string>} */
function textsOf(png) {
  /** @type {Record<string, string>} */
  const texts = {};
  const read = (/** @type {number} */ at, /** @type {number} */ length) => new TextDecoder("latin1").decode(new Uint8Array(png.buffer, at, length));
  for (let at = SIGNATURE; at < png.byteLength; at += FRAME + png.getUint32(at)) {
    if (read(at + 4, 4) !== "tEXt") continue;
    const [name, text] = read(at + 8, png.getUint32(at)).split("\0");
    texts[name] = text;
  }
  return texts;
}
