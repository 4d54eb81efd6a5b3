/** What a viewer can ask for besides moving: hint, heat map, undo, resign, a new game. */
import { Refused, get, startGame } from "./api.js";
import { need, needButton } from "./dom.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").BoardElement} BoardElement */
/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("./film.js").Film} Film */

const HEAT_AFTER_MS = 120;

export class Actions {
  /** @param {string} id @param {BoardElement} board @param {Live} live @param {Film} film */
  constructor(id, board, live, film) {
    this.id = id;
    this.board = board;
    this.live = live;
    this.film = film;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    this.heat = /** @type {HTMLInputElement} */ (need("input[name=heat]"));
    this.heatShown = "";
    this.heatTimer = 0;
    this.heat.addEventListener("change", () => this.#showHeat());
    this.#on("hint", () => this.#hint());
    this.#on("undo", () => void live.send({ type: "undo" }));
    this.#on("resign", () => this.#askToResign());
    this.#on("rematch", () => this.#rematch());
  }

  /** @param {string} name @param {() => void} act */
  #on(name, act) {
    need(`[data-act=${name}]`).addEventListener("click", act);
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    this.snapshot = snapshot;
    const plays = snapshot.seats.some((seat) => seat.mine);
    const over = snapshot.outcome !== null;
    need("[data-act=undo]").hidden = need("[data-act=resign]").hidden = over || !plays;
    needButton("[data-act=undo]").disabled = !snapshot.can_undo;
    const alone = snapshot.seats.filter((seat) => seat.mine).length === 1;
    needButton("[data-act=resign]").disabled = !snapshot.can_move && !alone;
    need("[data-save=record]").hidden = !over;
    const ended = over && this.film.isLatest;
    needButton("[data-act=hint]").disabled = this.heat.disabled = ended;
    need("[data-act=rematch]").hidden = !ended || snapshot.next !== null;
    need("[data-act=next]").hidden = !snapshot.next;
    if (snapshot.next) need("[data-act=next]").setAttribute("href", snapshot.next.url);
    const at = this.film.isLatest ? "" : `ply=${this.film.ply}&`;
    for (const kind of ["png", "svg"]) need(`[data-save=${kind}]`).setAttribute("href", `/games/${this.id}.${kind}?${at}download=1`);
    this.#showHeat();
  }

  #query() {
    return new URLSearchParams({ ply: String(this.film.ply), ...this.board.parameters?.() }).toString();
  }

  /** Soon: who steps through a game quickly asks for one map, not for all. */
  #showHeat() {
    const wanted = this.heat.checked && !this.heat.disabled ? `/games/${this.id}/heat.png?${this.#query()}` : "";
    if (wanted === this.heatShown) return;
    this.heatShown = wanted;
    this.board.overlay(null);
    clearTimeout(this.heatTimer);
    this.heat.closest("label")?.setAttribute("aria-busy", String(wanted !== ""));
    if (wanted) this.heatTimer = window.setTimeout(() => this.#fetchHeat(wanted), HEAT_AFTER_MS);
  }

  /** @param {string} wanted */
  async #fetchHeat(wanted) {
    const faults = await this.board.overlay(wanted).then(() => "", () => "the heat map could not be drawn");
    if (wanted !== this.heatShown) return;
    this.heat.closest("label")?.setAttribute("aria-busy", "false");
    if (faults) this.board.refuse(faults);
  }

  async #hint() {
    const button = needButton("[data-act=hint]");
    const asked = this.film.ply;
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      const hint = await get(`/games/${this.id}/hint?${this.#query()}`);
      if (asked === this.film.ply) this.board.suggest(hint);
    } catch (error) {
      this.board.refuse(error instanceof Refused ? error.message : "no hint came");
    }
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }

  #askToResign() {
    const dialog = /** @type {HTMLDialogElement} */ (need("#resign"));
    dialog.returnValue = "";
    dialog.onclose = () => dialog.returnValue === "yes" && this.live.send({ type: "resign" });
    dialog.showModal();
  }

  /** The same game again, on the same board, with the seats rotated by one. */
  async #rematch() {
    const { snapshot } = this;
    if (!snapshot) return;
    const button = needButton("[data-act=rematch]");
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    const seats = [...snapshot.seats.slice(1), snapshot.seats[0]].map(({ kind, name }) =>
      kind === "person" ? { kind, name } : { kind, player: name },
    );
    try {
      location.assign(await startGame({ game: snapshot.game, like: this.id, seats, clock: clockWish(snapshot), seed: null }));
    } catch (error) {
      this.board.refuse(error instanceof Refused ? error.message : "the game could not be started");
      button.disabled = false;
      button.removeAttribute("aria-busy");
    }
  }
}

/** @param {Snapshot} snapshot */
function clockWish({ clock }) {
  if (!clock) return null;
  const seconds = (/** @type {number} */ ms) => ms / 1000;
  return {
    budget: clock.budget_ms === null ? null : seconds(clock.budget_ms),
    ...(clock.increment_ms ? { increment: seconds(clock.increment_ms) } : {}),
    ...(clock.move_ms ? { move: seconds(clock.move_ms) } : {}),
  };
}
