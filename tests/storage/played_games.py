"""Games in an arena's folder, played at once and stored as an arena stores them."""

from hinterland.gravity import Rules
from hinterland.host.commit import JournalCommit
from hinterland.referee import judge
from hinterland.storage.game_setup import NO_CLOCK, Seat, Setup, new_id
from hinterland.storage.journal import restore_game

SMALL = Rules(size=6, stones=2, spacing=1)


def setup_of(*names, started="2026-05-01T10:00:00+00:00", rules=SMALL, seats=(), **others):
    """Return the set-up of a game between bots, by name, or between given seats."""
    fields = {field: getattr(rules, field) for field in rules.__struct_fields__}
    taken = tuple(seats) or tuple(Seat("bot", name) for name in names)
    return Setup(
        id=new_id(), game_name="gravity", rules_json=fields, seats=taken, control=NO_CLOCK, key_sha256="",
        started=started, **({"seed": None} | others),
    )  # fmt: skip


class Played:
    """A game in an archive, played move by move."""

    def __init__(self, archive, setup):
        self.setup = setup
        self.book = archive.create(setup)
        self.commit = JournalCommit(setup, None, self.book, archive.finish)
        self.game = restore_game(setup, []).game
        self._send(judge.Begin())

    def _send(self, event):
        self.game, _ = self.commit._commit(self.game, event, 1)

    def move(self, number=0):
        """Make one of the legal moves."""
        position = self.game.position
        moves = list(position.legal_moves)
        self._send(judge.Answer(position.to_move, self.game.turn, moves[number % len(moves)]))

    def finish(self, number=0):
        """Play to the end."""
        while self.game.ending is None:
            self.move(number)
        self.close()
        return self.setup

    def take_back(self, plies):
        """Take moves back to ``plies``."""
        self._send(judge.TakeBack(plies))

    def help(self):
        """Note that a player saw what a move would gain."""
        self._send(judge.Help())

    def resign(self, seat):
        """Resign a seat."""
        self._send(judge.Resign(seat))
        self.close()
        return self.setup

    def void(self):
        """End the game as void."""
        self._send(judge.Void("the referee had to stop"))
        self.close()

    def close(self):
        self.book.close()


def finished(archive, *names, number=0, **others):
    """Play a whole game."""
    return Played(archive, setup_of(*names, **others)).finish(number)
