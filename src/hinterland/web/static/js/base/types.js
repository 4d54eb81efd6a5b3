/**
 * The data that server and pages exchange, and the interface through which the generic pages use a game.
 */

/** @typedef {number[]} Move  a game's own move: integers, for instance `[row, col]` */
/** @typedef {Record<string, number | string | null | number[][]>} Rules  all fields of one game's rules */
/** @typedef {{ name: string, kind: "person" | "program" | "bot", mine: boolean, given: string, page: string | null }} Seat */
/** @typedef {{ seat: number, move: Move, ms: number, scores: number[] }} PlayedMove  scores: after this move */
/** @typedef {{ seat: number, reason: string, detail: string }} Withdrawal */
/** @typedef {{ scores: number[], winners: number[], reason: string, detail: string }} Outcome */
/** @typedef {{ budget_ms: number | null, increment_ms: number, move_ms: number | null }} ClockRules */

/**
 * The whole state of a game; the server sends it after every change.
 * @typedef {object} Snapshot
 * @property {string} id
 * @property {string} game
 * @property {Rules} rules
 * @property {Seat[]} seats
 * @property {PlayedMove[]} moves
 * @property {number[]} scores
 * @property {number | null} to_move
 * @property {boolean} can_undo
 * @property {boolean} can_move  a person of this browser is to move
 * @property {ClockRules | null} clock
 * @property {(number | null)[] | null} left_ms  at the moment of sending
 * @property {boolean} clock_stands whether the clock of the seat to move stands still for now
 * @property {Withdrawal[]} withdrawn
 * @property {Outcome | null} outcome
 * @property {number} notes  of players on their moves; 0 while the game goes on
 * @property {{ url: string } | null} next
 * @property {number} viewers
 * @property {string | null} remark what everybody at the board should know
 * @property {(number | null)[] | null} [weight_left]
 * @property {string | null} [drawing_data]  where to fetch what the board needs to be drawn beyond the rules
 * @property {MatchView | null} match
 */

/** @typedef {{ name: string, total: number, won: number, left: number }} MatchPlayer */
/** @typedef {{ player: number, reason: string, detail: string }} Out */
/** @typedef {{ number: number, scores: number[], winners: number[], reason: string, detail: string, out: Out[], id: string | null }} GameLine */
/** @typedef {{ kind: string, player: number | null, title: string, detail: string }} Notice */

/**
 * The match to which a snapshot's game belongs. In such a snapshot each seat has the number of its player in the match,
 * so a player keeps its number in all games.
 * @typedef {object} MatchView
 * @property {"waiting" | "playing" | "over" | "closed"} state
 * @property {string} key  of the game that is shown; empty before the first
 * @property {number} number
 * @property {number} of  how many games; 0: as many as the players want
 * @property {number} match
 * @property {number} matches
 * @property {number | null} starter
 * @property {MatchPlayer[]} players
 * @property {GameLine[]} games
 * @property {{ protocol: string, address: string, socket: string | null, needs_token: boolean, guests: (string | null)[], house: string[], takes_persons: boolean }} lobby
 * @property {Notice | null} notice
 * @property {number[]} winners
 * @property {string} detail
 * @property {Terms | null} terms  where people play one another
 */

/**
 * What people who play one another agree on. `here`, `again` and `hints` list the numbers of those who look at the
 * page, who want another game, and who want hints.
 * @typedef {{ here: number[], again: number[], hints: number[], has_hints: boolean, left: number | null, is_offered: boolean }} Terms
 */

/** @typedef {{ name: string, summary: string }} ProgramEntry */
/** @typedef {{ name: string, title: string, summary: string, rules: Rules }} Preset */
/** @typedef {{ title: string, summary: string, spec: string, elo: number }} Level */
/** @typedef {{ name: string, title: string, summary: string, players: ProgramEntry[], levels: Level[], presets: Preset[], max_players: number, limits: Record<string, number> }} GameEntry  limits: of options, on pages */
/** @typedef {{ games: GameEntry[] }} Catalogue */

/**
 * The data from which a board is drawn.
 * @typedef {object} Scene
 * @property {Rules} rules
 * @property {unknown} [drawingData]  what the game's own `drawing_data` made, in games that have such a thing
 * @property {string[]} names   one a seat
 * @property {{ seat: number, move: Move }[]} moves
 * @property {number | null} toMove  whose turn it was here, also while an earlier move is looked at
 * @property {boolean} placing  whether the viewer may place now
 * @property {boolean} [interactive]  whether the viewer ever places here (default: as placing)
 * @property {boolean} [blind]  whether an aim shows only where it is, not what it would take
 * @property {boolean} [setup]  an empty board to feel the rules on: aims, never places
 */

/**
 * A game's board element. It dispatches the event `choose` (detail: `{ move }`) when the viewer decides on a move, and
 * `aim` (detail: {@link Aim} or null) when the viewer aims at a move that a button should confirm. A board drawn by
 * hand beside the set-up form dispatches `laid` (detail: the changed rules).
 * @typedef {HTMLElement & {
 *   options: Record<string, boolean>,
 *   show(scene: Scene): void,
 *   option(name: string, on: boolean): void,
 *   overlay(url: string | null): Promise<void>,
 *   suggest(hint: Hint | null): void,
 *   surface: HTMLElement,
 *   spotsOf(move: Move): [number, number][],
 *   refuse(message: string): void,
 *   choose(): void,
 *   announce(words: string): void,
 *   parameters?(): Record<string, string>,
 *   showAnalysis?(analysis: Analysis | null): void,
 * }} BoardElement
 */
/** @typedef {{ move: Move, legal: boolean, words: string }} Aim */

/**
 * The value of a position for the seat to move, under best play. It lies between `low` and `high`; `value` is null
 * until it is known. Each move of `best` leads to this value; if `exact` is true, no other move does.
 * @typedef {{ ply: number, value: number | null, low: number, high: number, exact: boolean, best: Move[] }} Analysis
 */

/**
 * The review of one move of a finished game. `loss` is the best gain minus the gain of this move; if the review's
 * `measure` is "value", it is the value of best play minus the value of this move. `instead` holds the final scores
 * that follow if the best move replaces this move and no other move changes.
 * @typedef {{ number: number, seat: number, move: Move, gain: number, best: Move | null, best_gain: number | null, loss: number | null, instead: number[] | null, swing: number | null, losing: boolean, scores: number[] }} MoveReview
 */

/**
 * The review of a finished game. `behind` says for each seat by how much it lost to the winner, null for a seat that
 * left. `losing` holds the numbers of the losing moves.
 * @typedef {{ players: string[], scores: number[], winners: number[], behind: (number | null)[], measure: "gain" | "value", losing: number[], moves: MoveReview[] }} Review
 */

/** @typedef {{ best: Move, gain: number, seat?: number, quiet?: boolean }} Hint  seat: for whom the move is, if not for the seat to move; quiet: not read out */

/** @typedef {{ seat: number, move: Move }[]} LocalMoves */
/** @typedef {{ first: string, over: string, verb: string }} LocalWords */

/**
 * A small game of two players that needs no server. A visitor plays it by clicks, or the page plays both seats, by the
 * moves of `anywhere`.
 * @typedef {{ rules: Rules, isOver(moves: LocalMoves): boolean, anywhere(moves: LocalMoves): Move, total: number, words: LocalWords, drawingData?: unknown }} LocalSetting
 */

/** @typedef {[title: string, words: string][]} Lesson  a card for each move that somebody makes */

/**
 * One rules field of the set-up form.
 * @typedef {object} RulesField
 * @property {string} name
 * @property {string} label
 * @property {string | ((rules: Rules) => string)} [hint]
 * @property {"whole" | "share" | "choice" | "places"} kind  share: from 0 to 1; places: put by hand on the board beside the form
 * @property {boolean} [optional]  empty means null
 * @property {string} [blank]  what empty means, in words
 * @property {number} [least]
 * @property {number} [most]  where the server's limits do not say it
 * @property {Record<string, string>} [choices]  value -> words
 * @property {(rules: Rules) => boolean} [shown]  whether it matters; if not, it is not sent either
 * @property {string} [drawn]  the value is drawn by lot; the words of the button that draws another
 */

/**
 * What `js/<game>/<game>-rules.js` exports as `rulesView`: the parts of a game that need no board.
 * @typedef {object} RulesView
 * @property {boolean} [needsDrawingData]  whether boards need drawing data from the server
 * @property {(rules: Rules) => unknown} [layOut]       drawing data that needs no server, or null
 * @property {(rules: Rules) => Rules} [sent] the rules to request from the server, if the form has more fields
 * @property {(options: Rules) => Rules} [received] the opposite of `sent`: the form's values for rules of the server
 * @property {(rules: Rules) => string} describe         one short line
 * @property {(rules: Rules) => number} total            what the scores of a full board add up to
 * @property {string} unit                               what the scores count: "cells"
 * @property {(move: Move) => string} moveText
 * @property {{ least: number, most: number, how: string, such: string }} typing how a move is typed: least and most
 * whole numbers, what they are, and an example
 * @property {{ now: string, how: string, done(name: string, move: string): string }} [verb]  what a move is: "Place", "click the board", "Ann placed at row 3 · col 4"
 * @property {(analysis: Analysis) => string} [analysisText]  in games that can be analysed
 * @property {Rules} defaults
 * @property {RulesField[]} fields
 * @property {(rules: Rules, limits: Record<string, number>) => Partial<Record<string, string>>} relations field name ->
 * what is wrong with fields that are each valid by themselves
 * @property {() => Promise<LocalSetting>} example       a small game that needs no server; fetched when it is wanted
 * @property {{ rules: Rules, lesson: Lesson }} first     the game of one click, and what is taught beside it
 * @property {(rules: Rules) => Move[]} [sample]         a position under rules, to be seen before a game begins; in turn from the first seat
 */

/**
 * What `js/<game>/<game>-view.js` exports as `view`: all of `RulesView`, and what makes the game's board.
 * @typedef {RulesView & {
 *   createBoard(): BoardElement,
 *   createMoveControls?(board: BoardElement): HTMLElement & { show(snapshot: Snapshot): void },
 * }} GameView
 */

export {};
