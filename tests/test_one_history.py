"""One history: at every moment of any game, replaying its history gives the same position as playing."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import judged_games as games
from contract_cases import cases
from hinterland import catalog, contract
from hinterland.errors import HinterlandError
from hinterland.referee import judge, record, verification

SMALL = [rules for _, rules, _ in cases() if rules.players < 5]
RULES = st.one_of(*(st.sampled_from([rules for rules in SMALL if rules.game == name]) for name in catalog.GAMES))
KINDS = st.sampled_from(["move"] * 5 + ["lost", "lost", "left", "back"])
EVENTS = st.lists(st.tuples(KINDS, st.integers(0, 9999)), min_size=8, max_size=20)


def told(position):
    """Return all values of a position that people and programs see."""
    return (
        *(position.scores, position.to_move, position.outcome, position.staying),
        *(position.moves, position.skipped, position.withdrawn, tuple(position.legal_moves)),
    )


def lived(rules, events):
    """Play the possible ones of (event, number); return (events that happened, all positions)."""
    history, stood = [], [rules.start()]
    for event, number in events:
        position = stood[-1]
        seat = position.to_move
        moves = [at for at, (_, what) in enumerate(history, start=1) if what not in ("lost", "left")]
        if event == "back" and moves:
            plies = number % len(moves)
            kept = moves[plies - 1] if plies else 0
            history, stood = history[:kept], stood[: kept + 1]
            stood[-1] = position.after(plies)
            continue
        if event == "left" and len(position.staying) > 1:
            seat = position.staying[number % len(position.staying)]
            history.append((seat, "left"))
            stood.append(position.withdraw(seat))
        elif event == "lost" and seat is not None:
            history.append((seat, "lost"))
            stood.append(position.skip())
        elif event == "move" and seat is not None:
            legal = list(position.legal_moves)
            history.append((seat, legal[number % len(legal)]))
            stood.append(position.play(history[-1][1]))
    return tuple(history), stood


def holds(rules, events):
    """Every prefix of the history gives the position of that moment, by replay, by looking back and by parsing."""
    history, stood = lived(rules, events)
    kind = type(stood[0])
    assert list(kind.unfold(rules, history)) == stood
    for so_far, position in enumerate(stood):
        again = kind.replay(rules, history[:so_far])
        assert again == position
        assert position.history == history[:so_far]
        assert told(again) == told(position)
        assert kind.parse(str(position)) == kind.from_json(position.to_json()) == position
        if so_far and history[so_far - 1][1] not in ("lost", "left"):
            assert stood[-1].after(len(position.moves)) == position
            assert stood[-1].before(len(position.moves) - 1) == stood[so_far - 1]


def judged(rules, events):
    """Play (event, number) before a judge to the end; return (positions that were not taken back, the game)."""
    table = games.Table(rules, illegal=judge.Illegal.SKIP)
    table.send(judge.Begin())
    stood = [table.game.position]
    for event, number in [*events, *[("move", 7)] * 200]:
        game = table.game
        if game.ending is not None:
            break
        seat = game.position.to_move
        match event:
            case "move":
                table.send(judge.Answer(seat, game.turn, games.legal_move(game, number)), number % 50)
            case "lost":
                table.send(judge.Unreadable(seat, game.turn, "not_a_move", "no numbers"), number % 50)
            case "left" if number % 2:
                table.send(judge.Tick(), after_ms=1001)
            case "left":
                table.send(judge.Resign(number % rules.players))
            case "back":
                table.send(judge.TakeBack(number % max(1, len(game.position.moves))))
        position = table.game.position
        if len(position.moves) < len(game.position.moves):
            stood = stood[: 1 + [len(earlier.moves) for earlier in stood].index(len(position.moves))]
            assert position == stood[-1]
        elif position != stood[-1]:
            stood.append(position)
    return stood, table.game


def is_recorded(rules, events):
    """The record of a judged game parses, verifies, and replays to the same positions."""
    stood, game = judged(rules, events)
    names = tuple("abcdefghijkl"[: rules.players])
    kept = record.of_game(games.make_terms(game, names), game, "")
    again = record.read_line(record.to_line(kept))
    assert record.to_line(again) == record.to_line(kept)
    verification.verify(again)
    assert list(verification.unfold(again)) == stood
    assert [told(position) for position in verification.unfold(again)] == [told(position) for position in stood]
    after_moves = [position for position in stood if position.history and position.history[-1] in position.moves]
    assert list(verification.positions(again)) == [stood[0], *after_moves]
    assert verification.final(again) == game.position
    assert [departure.seat for departure in again.departures] == list(game.position.withdrawn)


@given(RULES, EVENTS)
def test_replaying_what_happened_is_playing_it(rules, events):
    holds(rules, events)


@given(RULES, EVENTS)
def test_a_record_holds_the_whole_history(rules, events):
    is_recorded(rules, events)


POSITION = contract.Position
UNFOLD, AFTER, BETWEEN, HISTORY = POSITION.unfold.__func__, POSITION.after, record._between, record._history


def forgets_lost_turns(position, plies):
    back = AFTER(position, plies)
    return type(back)(back.rules, tuple(event for event in back.history if event[1] != "lost"))


def keeps_who_left(position, plies):
    return type(position)(position.rules, (*AFTER(position, plies).history, *((s, "left") for s in position.withdrawn)))


def drops_lost_turns(kind, rules, history):
    return UNFOLD(kind, rules, [event for event in history if event[1] != "lost"])


def stale_moves(position, move):
    after = position._with(position.to_move, move)
    after.__dict__["moves"] = position.moves
    return after


@pytest.mark.parametrize(
    ("check", "place", "name", "fault"),
    [
        (holds, POSITION, "after", forgets_lost_turns),
        (holds, POSITION, "after", keeps_who_left),
        (holds, POSITION, "unfold", classmethod(drops_lost_turns)),
        (holds, POSITION, "play_unchecked", stale_moves),
        (holds, POSITION, "withdraw", lambda position, seat: position),
        (holds, POSITION, "before", lambda position, ply: position.after(ply)),
        (is_recorded, record, "_between", lambda game: sorted(BETWEEN(game), key=lambda what: what.event)),
        (is_recorded, record, "_between", lambda game: [what for what in BETWEEN(game) if what.event == "left"]),
        (is_recorded, record, "_between", lambda game: list(BETWEEN(game))[::-1]),
        (is_recorded, POSITION, "after", forgets_lost_turns),
        (is_recorded, record, "_history", lambda game, kept: sorted(HISTORY(game, kept), key=lambda e: e[0])),
    ],
)
def test_planted_faults_are_found(check, place, name, fault, monkeypatch):
    monkeypatch.setattr(place, name, fault)
    quick = settings(settings.get_profile("house"), phases=[Phase.generate], max_examples=1000, print_blob=False)
    with pytest.raises((AssertionError, HinterlandError, ValueError)):
        quick(given(RULES, EVENTS)(check))()
