"use strict";
(() => {
  const root = document.documentElement;
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const stage = /** @type {HTMLElement} */ (main.querySelector(".stage"));
  const list = /** @type {HTMLElement} */ (main.querySelector(".list"));
  const controls = /** @type {HTMLElement} */ (main.querySelector(".controls"));
  const slider = /** @type {HTMLInputElement} */ (controls.querySelector("input"));
  const count = /** @type {HTMLOutputElement} */ (controls.querySelector("output"));
  const figures = [...main.querySelectorAll("figure")];
  const rows = /** @type {HTMLElement[]} */ ([...main.querySelectorAll("tr[data-step]")]);
  const last = figures.length - 1;
  let at = -1;

  /** @param {number} step */
  function show(step) {
    const to = Math.min(Math.max(step, 0), last);
    if (to === at) return;
    at = to;
    figures.forEach((figure, number) => figure.classList.toggle("shown", number === to));
    rows.forEach((row, number) => row.classList.toggle("shown", number === to));
    slider.value = String(to);
    slider.setAttribute("aria-valuetext", rows[to].innerText.trim());
    count.textContent = `${to} / ${last}`;
    for (const button of controls.querySelectorAll("button")) {
      const back = ["first", "back"].includes(button.dataset.to ?? "");
      button.setAttribute("aria-disabled", String(back ? to === 0 : to === last));
    }
    const { offsetTop, offsetHeight } = rows[to];
    const head = list.querySelector("thead")?.offsetHeight ?? 0;
    if (offsetTop - head < list.scrollTop) list.scrollTop = offsetTop - head;
    const low = offsetTop + offsetHeight - list.clientHeight;
    if (low > list.scrollTop) list.scrollTop = low;
    try {
      history.replaceState(null, "", `#move-${to}`);
    } catch {
      // some viewers of files refuse this; the page steps all the same
    }
  }

  /** The step that the address names. @returns {number | null} */
  function named() {
    const found = /^#move-(\d+)$/.exec(location.hash);
    return found && Number(found[1]);
  }

  /** @param {string | undefined} where */
  function go(where) {
    const steps = { first: 0, back: at - 1, next: at + 1, last };
    if (where && Object.hasOwn(steps, where)) show(steps[/** @type {keyof steps} */ (where)]);
  }

  controls.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement) go(event.target.dataset.to);
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  list.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("tr") : null;
    if (!row?.dataset.step) return;
    event.preventDefault();
    show(Number(row.dataset.step));
    stage.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target === slider) return;
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    go(keys[/** @type {keyof keys} */ (event.key)]);
  });
  addEventListener("hashchange", () => show(named() ?? at));

  controls.hidden = false;
  root.classList.add("steps");
  show(named() ?? Number(main.dataset.first));
})();
