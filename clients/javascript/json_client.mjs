// A sample player of gravity in the protocol hinterland-json/1; copy it and change `choose`.
//
// Over TCP:   node json_client.mjs HOST PORT [NAME] [--token TOKEN]
// Over pipes: node json_client.mjs, started by the referee: cmd:node json_client.mjs
// Needs Node 18 or later and nothing else. Over pipes standard output belongs to the referee: print with console.error.

import { connect } from "node:net";

/** @typedef {[row: number, col: number, weight?: number]} Stone */
/**
 * @typedef {{size: number, players: number, stones: number, spacing: number, weight: number | null, law: string}} Rules
 */
/** @typedef {[seat: number, stone: Stone][]} Moves */
/** @typedef {{game_id: string, turn: number, seat: number, moves: Moves, weight_left?: number}} Turn */

const CANDIDATES = 100; // cells compared for one move
const PROBES = 30; // the board is sampled at about PROBES x PROBES of its cells

/** One game: where a stone may still go, and how hard each seat pulls at the probes. */
class Board {
    /** @param {Rules} rules */
    constructor(rules) {
        this.rules = rules;
        this.isTaken = Array.from({ length: rules.size }, () => new Uint8Array(rules.size)); // too near to a stone
        const step = Math.max(1, Math.floor(rules.size / PROBES));
        /** @type {[number, number][]} */
        this.probes = [];
        for (let row = Math.floor(step / 2); row < rules.size; row += step)
            for (let col = Math.floor(step / 2); col < rules.size; col += step) this.probes.push([row, col]);
        this.pulls = Array.from({ length: rules.players }, () => new Float64Array(this.probes.length));
        this.stones = 0;
    }

    /**
     * How hard a seat would pull at each probe with one more stone, by the law of the game.
     * @param {number} seat
     * @param {Stone} stone
     */
    withStone(seat, [row, col, weight = 1]) {
        return this.pulls[seat].map((old, i) => {
            const pull = weight / Math.max(1e-9, (this.probes[i][0] - row) ** 2 + (this.probes[i][1] - col) ** 2);
            return this.rules.law === "nearest" ? Math.max(old, pull) : old + pull;
        });
    }

    /**
     * Takes the moves of a turn, which are all moves of the game, and places those that are new.
     * @param {Moves} moves
     */
    update(moves) {
        for (const [seat, stone] of moves.slice(this.stones)) {
            this.pulls[seat] = this.withStone(seat, stone);
            const { size, spacing } = this.rules;
            const [row, col] = stone;
            for (let r = Math.max(0, row - spacing + 1); r < Math.min(size, row + spacing); r++)
                for (let c = Math.max(0, col - spacing + 1); c < Math.min(size, col + spacing); c++)
                    if ((r - row) ** 2 + (c - col) ** 2 < spacing ** 2) this.isTaken[r][c] = 1;
        }
        this.stones = moves.length;
    }

    /** Draws some free cells at random; on a nearly full board, searches for one. */
    candidates() {
        /** @type {[number, number][]} */
        const found = [];
        const any = () => Math.floor(Math.random() * this.rules.size);
        for (let draw = 0; draw < 10 * CANDIDATES && found.length < CANDIDATES; draw++) {
            const [row, col] = [any(), any()];
            if (!this.isTaken[row][col]) found.push([row, col]);
        }
        for (let row = 0; row < this.rules.size && found.length === 0; row++)
            if (this.isTaken[row].includes(0)) found.push([row, this.isTaken[row].indexOf(0)]);
        return found;
    }

    /**
     * The candidate that would win the most probes. THIS IS THE PART TO IMPROVE.
     * @param {number} me
     * @param {number} weight
     */
    choose(me, weight) {
        const others = this.pulls.filter((_, seat) => seat !== me);
        const rivals = this.probes.map((_, i) => Math.max(...others.map((pulls) => pulls[i])));
        let [best, most] = [[0, 0], -1];
        for (const [row, col] of this.candidates()) {
            let won = 0;
            this.withStone(me, [row, col, weight]).forEach((pull, i) => (won += Number(pull > rivals[i])));
            if (won > most) [best, most] = [[row, col], won];
        }
        return best;
    }
}

/**
 * Answers a turn with a move; game_id and turn say which request it answers.
 * @param {Board} board
 * @param {Turn} turn
 */
function answer(board, { game_id, turn, seat, moves, weight_left }) {
    board.update(moves);
    if (weight_left === undefined || board.rules.weight === null)
        return { type: "move", game_id, turn, move: board.choose(seat, 1) };
    const stonesLeft = board.rules.stones - moves.filter(([mover]) => mover === seat).length;
    const weight = Math.max(1, Math.floor(weight_left / stonesLeft)); // an even share; all the rest on the last stone
    return { type: "move", game_id, turn, move: [...board.choose(seat, weight), weight] };
}

/** @type {Board} */
let board;
/** @type {Turn} */
let asked;

/**
 * Takes one message of the referee; returns the answer, if there is one.
 * @param {any} message
 */
function respond(message) {
    if (message.type === "game") {
        if (message.game !== "gravity") fail(`this sample plays gravity, not ${message.game}`);
        board = new Board(message.rules);
    } else if (message.type === "turn") {
        asked = message;
        return answer(board, asked);
    } else if (message.type === "refused") {
        console.error(`refused: ${message.detail}`);
        return answer(board, asked); // the same turn stands, the clock runs on; other candidates are drawn
    } else if (message.type === "over") {
        console.error(`the scores are ${message.scores.join(", ")}`);
    } else if (message.type === "bye") {
        console.error(message.detail);
    } // hello, welcome, ignored, and messages of later versions need no answer
    return undefined;
}

/**
 * @param {string} words
 * @returns {never}
 */
function fail(words) {
    console.error(words);
    process.exit(1);
}

const words = process.argv.slice(2);
const option = words.indexOf("--token");
const token = option < 0 ? undefined : words.splice(option, 2)[1];
const [host, port, name = "sample"] = words;
if (words.length > 3 || (host !== undefined && !/^\d+$/.test(port)))
    fail("usage: node json_client.mjs [HOST PORT [NAME]] [--token TOKEN]");

const connection = host === undefined ? undefined : connect(Number(port), host);
const incoming = connection ?? process.stdin;
const outgoing = connection ?? process.stdout;
/** @param {object} message */
const say = (message) => outgoing.write(`${JSON.stringify(message)}\n`);

let text = ""; // a line may come in several packets, and several lines in one
incoming.setEncoding("utf8");
incoming.on("data", (more) => {
    const lines = (text + more).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
        if (!line.startsWith("{")) fail(`this is not the protocol hinterland-json/1: ${line.trim()}`);
        const said = respond(JSON.parse(line));
        if (said) say(said);
    }
});
outgoing.on("error", (error) => {
    if (error.code === "EPIPE" || error.code === "ECONNRESET") process.exit(0); // the referee is gone: end quietly
    fail(`no referee at ${host}:${port}: ${error.message}`);
});
say({ type: "join", name, token }); // without a token JSON.stringify leaves the field out
