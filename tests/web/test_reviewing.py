"""The analysis of a finished game, as its page asks for it; what it finds is held by tests/review."""

import msgspec
import pytest
from web_play import PERSON, over, plies, start, watching

from hinterland import catalog
from hinterland.gravity import Position, Rules, Stone
from hinterland.review import Played, Review, review

BOB = {"kind": "person", "name": "Bob"}
MOVES = [(5, 5), (20, 20), (5, 20), (20, 5)]


@pytest.fixture
def finished():
    """Play a game to its end, asking for its analysis before the last move."""

    def play(client):
        game, key = start(client, PERSON, BOB)
        with watching(client, game, key) as ann:
            for ply, move in enumerate(MOVES):
                early = client.get(f"/games/{game}/review")
                ann.move(*move, ply=ply)
                ann.see(plies(ply + 1) if ply < 3 else over)
        return game, early

    return play


def test_a_game_is_analysed_when_it_is_over_and_only_then(client, finished):
    game, early = finished(client)
    assert (early.status_code, early.json()) == (
        409,
        {"error": "the game is not over; it is analysed when it has ended"},
    )
    position = Position.replay(
        Rules(size=24, stones=2, spacing=3), [(ply % 2, Stone(*move)) for ply, move in enumerate(MOVES)]
    )
    played = Played(position, ("Ann", "Bob"), position.scores, position.outcome.winners)
    answer = client.get(f"/games/{game}/review")
    assert answer.headers["content-type"] == "application/json"
    assert msgspec.json.decode(answer.content, type=Review) == review(catalog.game("gravity"), played)
    assert client.get("/games/nothing/review").status_code == 404


def test_it_is_made_once_and_not_too_often(opened, limited, finished, monkeypatch):
    made = []
    client = opened(limited(reviews_per_minute=2))
    background = client.app.state.arena.reviews.background
    background.warm_up()
    plain = background.run
    monkeypatch.setattr(background, "run", lambda *what: made.append(1) or plain(*what))
    game, _ = finished(client)
    answers = [client.get(f"/games/{game}/review") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) >= 1
    assert len(made) == 1


def test_what_is_not_known_in_time_remains_unknown(opened, limited, finished):
    client = opened(limited(review_s=-1))
    game, _ = finished(client)
    told = client.get(f"/games/{game}/review").json()
    assert [move["best"] for move in told["moves"]] == [None] * 4
    assert [move["gain"] >= 0 for move in told["moves"]] == [True] * 4
