/**
  * Shows the board of the arena's pages in a notebook. The scripts come as text; the browser gives each an address (a
 * blob URL), from which it is imported as a module. This happens once, however many boards a notebook has, since a
 * custom element can be defined only once.
 */

/** @typedef {{ get(name: string): any, set(name: string, value: any): void, save_changes(): void, send(content: any): void, on(event: string, act: (content?: any) => void): void, off(event: string, act: (content?: any) => void): void }} Model */

const SPECIFIER = /((?:\bfrom|\bimport)\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;
const WORKER = /new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)/g;
const KNOWN = "hinterlandModules";

/** Return a function that gives each module its address. @param {Record<string, string>} files */
function addresses(files) {
  /** @type {Map<string, string>} */
  const known = ((/** @type {any} */ (globalThis))[KNOWN] ??= new Map());
  const resolve = (/** @type {string} */ from, /** @type {string} */ to) => new URL(to, `file:///${from}`).pathname.slice(1);
  const addressOf = (/** @type {string} */ name) => {
    const source = files[name]
      .replace(SPECIFIER, (_, before, to) => `${before}${JSON.stringify(addressOf(resolve(name, to)))}`)
      .replace(WORKER, (_, to) => JSON.stringify(addressOf(resolve(name, to))));
    let address = known.get(source);
    if (!address) known.set(source, (address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
    return address;
  };
  return addressOf;
}

/** Whether the notebook is dark: its own theme counts, not the theme of the operating system. */
function isDark() {
  const { body, documentElement: root } = document;
  if (body.dataset.jpThemeLight !== undefined) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind !== undefined) return /dark|contrast$/.test(body.dataset.vscodeThemeKind);
  if (root.classList.contains("dark") || body.classList.contains("dark")) return true;
  return root.classList.contains("light") || body.classList.contains("light") ? false : matchMedia("(prefers-color-scheme: dark)").matches;
}

const OWN = `
:host { display: block; max-width: 560px; background: transparent; min-height: 0; }
.foot { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 8px 0; font: 14px/1.4 var(--font); color: var(--ink); }
.foot p { flex: 1 1 100%; margin: 0; }
.foot input { flex: 1 1 120px; min-width: 80px; accent-color: var(--seat-0, #0072b2); }
.foot button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--hair); border-radius: 4px; padding: 4px 10px; min-height: 32px; cursor: pointer; }
.foot button:disabled { opacity: 0.5; cursor: default; }
.foot button:focus-visible, .foot input:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.trouble { color: var(--alarm); }
`;

/** @param {string} tag @param {Record<string, string>} attributes @param {string} [words] */
function make(tag, attributes, words = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = words;
  return element;
}

/** @param {{ model: Model, el: HTMLElement }} place */
async function render({ model, el }) {
  const host = make("div", { "data-hinterland": model.get("kind") });
  const root = host.attachShadow({ mode: "open" });
  const style = make("style", {});
  el.append(host);
  const kind = model.get("kind");
  const { view } = await import(addresses(model.get("files"))(`js/${kind}/${kind}-view.js`));
  const board = view.createBoard();
  const status = make("p", { role: "status" });
  const slider = /** @type {HTMLInputElement} */ (make("input", { type: "range", min: "0", "aria-label": "Move" }));
  const back = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Take back"));
  const hint = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Hint"));
  const confirm = /** @type {HTMLButtonElement} */ (make("button", { type: "button", hidden: "" }, "Play here"));
  const foot = make("div", { class: "foot" });
  foot.append(status, slider, confirm, back, hint);
  root.append(style, board, foot);

  const dress = () => {
    const dark = isDark();
    style.textContent = `${model.get("sheets")[dark ? "dark" : "light"]}\n${OWN}\n:host { color-scheme: ${dark ? "dark" : "light"}; }`;
    board.draw();
  };
  const show = () => {
    const [all, ply] = [model.get("moves"), model.get("ply")];
    const isLast = ply >= all.length;
    const moves = all.slice(0, ply).map((/** @type {[number, number[]]} */ [seat, move]) => ({ seat, move }));
    const drawingData = model.get("drawing") ?? undefined;
    const toMove = isLast ? model.get("to_move") : all[ply][0];
    board.show({ rules: model.get("rules"), drawingData, names: model.get("names"), moves, toMove, placing: isLast && model.get("placing"), interactive: true });
    board.suggest(null);
    slider.max = String(all.length);
    slider.value = String(ply);
    slider.setAttribute("aria-valuetext", `${ply} of ${all.length}`);
    back.disabled = !all.length;
    hint.disabled = !(isLast && model.get("placing"));
    status.textContent = isLast ? model.get("status") : `After move ${ply} of ${all.length}`;
    status.classList.remove("trouble");
  };
  const heard = (/** @type {any} */ content) => {
    if (content.hint) board.suggest(content.hint);
    if (content.refused) {
      board.refuse(content.refused);
      status.textContent = content.refused;
      status.classList.add("trouble");
    }
  };
  board.addEventListener("choose", (/** @type {CustomEvent} */ { detail }) => model.send({ act: "play", move: detail.move }));
  board.addEventListener("aim", (/** @type {CustomEvent} */ { detail }) => (confirm.hidden = !detail?.legal));
  confirm.addEventListener("click", () => board.choose());
  back.addEventListener("click", () => model.send({ act: "back" }));
  hint.addEventListener("click", () => model.send({ act: "hint" }));
  slider.addEventListener("input", () => {
    model.set("ply", Number(slider.value));
    model.save_changes();
  });
  const watched = ["moves", "to_move", "placing", "status", "ply"].map((name) => `change:${name}`);
  let waiting = 0;
  const later = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(show);
  };
  for (const event of watched) model.on(event, later);
  model.on("msg:custom", heard);
  const themes = new MutationObserver(dress);
  for (const element of [document.body, document.documentElement]) themes.observe(element, { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-vscode-theme-kind"] });
  dress();
  show();
  return () => {
    themes.disconnect();
    cancelAnimationFrame(waiting);
    for (const event of watched) model.off(event, later);
    model.off("msg:custom", heard);
  };
}

export default { render };
