/** Small helpers to make and find elements; strict about what must be there. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string | number | boolean>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * The element that matches, which the page promises to hold.
 * @param {string} selector @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function need(selector, within = document) {
  const element = within.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`the page holds no ${selector}`);
  return element;
}

/** @param {string} selector @param {ParentNode} [within] @returns {HTMLButtonElement} */
export const needButton = (selector, within) => /** @type {HTMLButtonElement} */ (need(selector, within));

/** Set a text only where it differs, so that nothing is announced or laid out twice. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What the server embedded for this page to start with. @returns {any} */
export function pageData() {
  return JSON.parse(document.getElementById("page-data")?.textContent || "{}");
}

export const prefersStill = matchMedia("(prefers-reduced-motion: reduce)");
export const prefersDark = matchMedia("(prefers-color-scheme: dark)");
