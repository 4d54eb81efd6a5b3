"""Records of small games with all that a page can tell: notes, lost turns, departures, a study, hostile names."""

import msgspec
import numpy as np

from hinterland import catalog
from hinterland.referee import record
from hinterland.referee.clock import TimeControl
from hinterland.referee.game_study import Comment, GameStudy, Mark

NAMES = (
    "<img src=x onerror=alert(1)>",
    '"></script><script>document.title = 1</script>',
    "\u202eeve' onload='alert(1)\x1b[2J",
    "{{ 7 * 7 }}",
)
NOTE = "<script>alert(3)</script> is not proven best\nbut <b>likely</b> & cheap"
DETAIL = 'seat 0: its program ended with "<i>Traceback</i>" & code 1'
COMMENT = "A <u>comment</u> of the study"
MARKS = (Mark(2, (0.5, 0.25)), Mark(2, (0.1, 0.2, 0.7, 0.4)))
BOARDS = {
    "gravity": {"size": 24, "stones": 3, "spacing": 3},
    "graph": {"vertices": 14, "tokens": 3},
    "dots": {"dots": 7},
    "melee": {"players": 3, "size": 24, "stones": 3, "spacing": 3},
}


def make_rules(board):
    return catalog.game("gravity" if board == "melee" else board).rules.from_options(BOARDS[board])


def play(rules, names=NAMES):
    """Return the record of a random game; in a melee seat 1 loses a turn after 4 moves, and seat 0 leaves after 5."""
    rng, between = np.random.default_rng(5), []
    position = rules.start()
    while position.to_move is not None:
        plies = len(position.moves)
        if rules.players > 2 and plies == 4 and not between:
            between.append(record.Between(4, position.to_move, "lost"))
            position = position.skip()
        if rules.players > 2 and plies == 5 and len(between) == 1:
            between.append(record.Between(5, 0, "left", "crash", DETAIL))
            position = position.withdraw(0)
        position = position.play(position.legal_moves.sample(rng))
    scores = tuple(0 if seat in position.withdrawn else score for seat, score in enumerate(position.scores))
    count = len(position.moves)
    return record.sealed(
        record.Record(
            game=rules.game, rules=msgspec.to_builtins(rules), players=names[: rules.players], seed=1, number=2,
            clock=TimeControl(), movers=tuple(seat for seat, _ in position.moves),
            moves=tuple(move.numbers for _, move in position.moves), between=tuple(between), scores=scores,
            winners=tuple(seat for seat in position.staying if scores[seat] == max(scores)),
            reason=position.end_reason, detail="every seat has made all its moves",
            study=GameStudy(comments=(Comment(2, COMMENT),), marks=MARKS),
            times=record.Times(
                "2026-11-21T05:10:28+00:00", tuple(range(100, 100 * count + 1, 100)),
                notes=(record.Note(1, NOTE), record.Note(count - 1, "the last word")),
            ),
        )
    )  # fmt: skip
