/** Small helpers to make and find elements; they throw if a required element is missing. */

/** @typedef {Record<string, string | number | boolean | undefined>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes] @param {...(Node | string)} children
 */
export const make = (tag, attributes = {}, ...children) => furnish(document.createElement(tag), attributes, children);

/** Make an SVG element. @param {string} tag @param {Attributes} [attributes] @param {...(Node | string)} children */
export function draw(tag, attributes = {}, ...children) {
  return furnish(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {(Node | string)[]} children @returns {E} */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** Make a span. @param {string} manner  class names @param {...(Node | string)} children */
export const span = (manner, ...children) => make("span", { class: manner }, ...children);

/** A small mark in the colour of a seat. The class `seat` gives the colour; without this class, the surrounding element does. @param {string} [seat]  class name */
export const chip = (seat = "") => make("span", { class: `chip ${seat}`.trim(), "aria-hidden": "true" });

/**
 * Find an element that the page must contain.
 * @param {string} selector @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function need(selector, within = document) {
  const element = within.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`the page holds no ${selector}`);
  return element;
}

/** The button of an action. @param {string} act  its name @returns {HTMLButtonElement} */
export const buttonOf = (act) => /** @type {HTMLButtonElement} */ (need(`[data-act=${act}]`));

/** @param {string} name  of what is pressed @param {() => unknown} act */
export const onPress = (name, act) => buttonOf(name).addEventListener("click", act);

/** Listen to clicks on all elements inside `place` that have the attribute `data-NAME`; `act` gets its value. @param {HTMLElement} place @param {string} name @param {(value: string) => void} act */
export function onClick(place, name, act) {
  place.addEventListener("click", ({ target }) => {
    const value = target instanceof Element ? target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) : null;
    if (value) act(value);
  });
}

/** Set an attribute, unless it has this value already; null removes the attribute. @param {Element} element @param {string} name @param {string | null} value */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Set an element's text only if it changes, so that no text is announced or laid out twice. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Listen to a custom event; `act` gets the event's detail. @param {EventTarget} target @param {string} type @param {(detail: any) => void} act */
export function onDetail(target, type, act) {
  target.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
}

/**
 * Show a button as busy until `act` has finished.
 * @param {HTMLButtonElement} button @param {() => Promise<unknown>} act
 */
export async function whileBusy(button, act) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  await act();
  button.disabled = false;
  button.removeAttribute("aria-busy");
}

/** Open a dialog that asks a question; if the answer is yes, call `act`. @param {string} selector @param {() => void} act */
export function askFirst(selector, act) {
  const dialog = /** @type {HTMLDialogElement} */ (need(selector));
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue === "yes" && act();
  dialog.showModal();
}

/** The data that the server embedded in this page. @returns {any} */
export function pageData() {
  return JSON.parse(document.getElementById("page-data")?.textContent || "{}");
}

export const prefersStill = matchMedia("(prefers-reduced-motion: reduce)");
export const prefersDark = matchMedia("(prefers-color-scheme: dark)");
