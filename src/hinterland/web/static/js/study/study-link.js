/** A study in a link: the study, and an opened game file, as compressed JSON in the fragment, which no server sees. */

/** @import { Study } from "./study-tree.js" */
/** @typedef {{ study: Study, record?: string }} Linked */

/** Longest link: programs that send links cut longer ones. */
export const MAX_LINK_LENGTH = 16_000;
const MAX_STUDY_BYTES = 4 * 1024 * 1024;

/** Null if it would be too long. @param {Linked} linked @returns {Promise<string | null>} */
export async function encodeStudy(linked) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(linked)), new CompressionStream("deflate-raw"));
  if (bytes.length > MAX_LINK_LENGTH) return null;
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length > MAX_LINK_LENGTH ? null : text;
}

/** Throws if it is invalid. @param {string} text @returns {Promise<Linked>} */
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
