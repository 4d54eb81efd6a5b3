/**
 * The board beside a form. It shows at once how large the board and the spacing are, with a few stones if the game has
 * a sample.
 *
 * If boards are drawn by lot, the server sends the very board that will be played on.
 */
import { reasonOf, tryBoard } from "../base/api.js";
import { onDetail } from "../base/dom.js";
import { Question } from "../base/question.js";
import { t } from "../base/words.js";

/** @import { GameView, Rules, RulesView } from "../base/types.js" */

const ASK_AFTER_MS = 300;

export class BoardPreview {
  /**
   * @param {HTMLElement} place @param {string} game @param {RulesView} view @param {Promise<GameView>} whole  with the board, which may come later than the form
   * @param {{ put(rules: Rules): void, laid(rules: Rules): void, failed(words: string): void }} listener
   * put: gets what was put on the board by hand; laid: gets what the server says of the board
   */
  constructor(place, game, view, whole, listener) {
    this.game = game;
    this.view = view;
    this.listener = listener;
    this.board = whole.then(({ createBoard }) => createBoard());
    this.question = new Question(place, ASK_AFTER_MS);
    this.board.then((board) => {
      place.replaceChildren(board);
      onDetail(board, "laid", listener.put);
    });
  }

  /** @param {Rules} rules @param {string[]} names */
  show(rules, names) {
    const drawingData = this.view.layOut?.(rules);
    const isDrawn = !drawingData && this.view.needsDrawingData;
    if (!isDrawn) this.#draw(rules, names, drawingData ?? undefined);
    this.question.ask(isDrawn ? JSON.stringify(rules) : "", () => tryBoard(this.game, rules), {
      answered: (board) => {
        this.#draw(board.rules, names, board.drawing_data);
        this.listener.laid(board.rules);
      },
      failed: (error) => {
        this.cancel();
        this.listener.failed(reasonOf(error, t("the board could not be drawn")));
      },
    });
  }

  /** Drop the current request, since the form has changed. */
  cancel() {
    this.question.ask("");
  }

  /** @param {Rules} rules @param {string[]} names @param {unknown} [drawingData] */
  async #draw(rules, names, drawingData) {
    const board = await this.board;
    const moves = (this.view.sample?.(rules) ?? []).map((move, ply) => ({ seat: ply % names.length, move }));
    board.show({ rules, drawingData, names, moves, toMove: null, placing: false, setup: true });
  }
}
