"""Golden files of whole games; ``python tests/golden_playthroughs.py`` rewrites them, to review the diff.

A file in ``tests/golden`` has a sentence, rules, and lines that begin with an event: ``0:4,4`` is a move; ``1:lost`` a
turn lost by an illegal move; ``2:late``, ``2:resigned`` or ``2:crash`` a departure; ``back:3`` a take-back to three
moves. A judge plays the events; the rest of each line is its output. To add a game, write only the events.
"""

from pathlib import Path

from hinterland import catalog
from hinterland.referee import judge
from judged_games import Table

FOLDER = Path(__file__).parent / "golden"


def files():
    """Return the golden files, sorted by name."""
    return sorted(FOLDER.glob("*.txt"))


def told(text):
    """Return the text that a file should have, from its sentence, rules and events."""
    sentence, rules_text, events = text.split("\n\n")[:3]
    game = catalog.game(rules_text.split()[0])
    table = Table(game.rules.parse(" ".join(rules_text.split())), illegal=judge.Illegal.SKIP)
    table.send(judge.Begin())
    lines = [row("", "to move", "legal", [f"seat {seat}" for seat in range(table.game.position.rules.players)])]
    lines.append(state("start", table.game.position))
    for line in events.splitlines()[2:]:
        word = line.split()[0]
        effects = happen(table, game, word)
        lines.append(state(word, table.game.position, remarks(effects)))
    lines += ["", *ending(table.game)]
    head, *options = str(table.game.position.rules).split()
    return "\n".join([sentence, "", "\n  ".join([head, *options]), "", *lines, ""])


def row(first, to_move, legal, scores, remark=""):
    return f"{first:<12}{to_move:>8}{legal:>8}  {''.join(f'{score:>8}' for score in scores)}   {remark}".rstrip()


def state(word, position, remark=""):
    """Write a position as a line: the seat to move, the number of legal moves, and the scores."""
    seat = position.to_move
    return row(word, "-" if seat is None else seat, len(position.legal_moves), position.scores, remark)


def happen(table, game, word):
    """Send the event of a word to the judge; return its effects."""
    seat, _, what = word.partition(":")
    turn = table.game.turn
    match what:
        case _ if seat == "back":
            return table.send(judge.TakeBack(int(what)))
        case "lost":
            return table.send(judge.Unreadable(int(seat), turn, "not_a_move", "no numbers"))
        case "late":
            return table.send(judge.Tick(), after_ms=1001)
        case "resigned":
            return table.send(judge.Resign(int(seat)))
        case "crash":
            return table.send(judge.Fault(int(seat), judge.Verdict.CRASH, "its program ended"))
    move = game.move.from_numbers([int(number) for number in what.split(",")])
    return table.send(judge.Answer(int(seat), turn, move))


def remarks(effects):
    """Describe the judge's effects besides moves and requests."""
    said = []
    for effect in effects:
        match effect:
            case judge.Departure():
                said.append(f"left by {effect.reason}: {effect.detail}")
            case judge.Skipped():
                said.append(f"lost its turn, {effect.code}: {effect.detail}")
            case judge.TakenBack():
                said.append(f"taken back to {effect.plies} moves")
            case judge.Discarded():
                said.append(f"discarded: {effect.detail}")
    return "; ".join(said)


def ending(game):
    """Describe the end of a game, or say that it goes on."""
    if game.ending is None:
        return ["goes on"]
    end, position = game.ending, game.position
    return [
        f"{end.reason}: {end.detail}",
        f"scores: {listed(end.scores)}",
        f"won by: {listed(end.winners)}",
        f"places: {listed(judge.ranking(game))}",
        f"moves: {len(position.moves)}, turns lost: {len(position.skipped)}, left: {listed(position.withdrawn)}",
    ]


def listed(values):
    return " ".join(map(str, values)) or "-"


if __name__ == "__main__":
    for file in files():
        file.write_text(told(file.read_text()))
        print(file)
