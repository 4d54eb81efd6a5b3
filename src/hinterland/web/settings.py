"""What the arena can be told: where it listens, where it keeps things, and how much of everything it bears."""

from __future__ import annotations

import ipaddress
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.network.tcp import bare_host
from hinterland.user_folders import user_folder
from hinterland.web.openness import Openness

MAX_BODY_BYTES = 2 * 1024 * 1024
"""Read of a request to study a record at all; the limits of the arena say what is taken."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on what anybody can make the server do or hold. Rates are per client address."""

    live_games: int = 400
    """Games in memory; the others rest on the disk."""
    idle_s: float = 60.0
    """How long a game that waits for nobody stays in memory unwatched."""
    viewers: int = 2000
    """Open connections, all games together."""
    viewers_per_game: int = 1000
    viewers_per_address: int = 1000
    """Of these, that only watch. They are fewer than its connections, so that who plays there finds room."""
    hosted_matches: int = 8
    """Tables at which programs from outside play."""
    seats_per_address: int = 12
    """At one of them, that people from one address may take."""
    deserted_s: float = 600.0
    """How long such a table waits for the first player."""
    answer_s: float = 0.4
    """How long a program waits before it begins to think about its answer to a person, on nobody's clock."""
    challenges: int = 400
    """Tables that people have made to play one another."""
    challenges_per_address: int = 60
    """Of these, from one address: a class behind one router is one."""
    challenge_s: float = 3600.0
    """How long such a table is kept while nobody looks at it."""
    games_per_minute: float = 30.0
    boards_per_second: float = 4.0
    boards_at_once: float = 30.0
    """Boards that a browser may look at before a game begins on one."""
    reviews_per_minute: float = 20.0
    """Games that a browser may have analysed."""
    review_s: float = 40.0
    """How long a game is analysed; what is not known by then remains so."""
    films_per_minute: float = 20.0
    """Films that a browser may ask for."""
    film_s: float = 45.0
    """How long one may take; from the first frames it is known whether it will."""
    record_bytes: int = 1024 * 1024
    """Of a record that somebody brings to be studied, or a study that is to be put into one."""
    records_per_minute: float = 30.0
    """Such records, from one address."""
    record_s: float = 20.0
    """How long one may take to be judged again."""
    uploaded_bytes: int = 128 * 1024 * 1024
    """Memory for such records; those that were looked at last stay."""
    connections_per_address: int = 1200
    """A class behind one router is one address, and each of its browsers holds several."""
    connections_per_second: float = 100.0
    """New ones, from one address; as many as its share may come at once."""
    waiting_per_address: int = 200
    """Connections without a request. The next takes the place of the one that has waited longest."""
    request_s: float = 15.0
    """How long a connection may be open until its first request, or its next, is whole but for the body."""
    control_frames_per_second: float = 5.0
    """Pings, pongs and parts of messages on one WebSocket; ten times as many may come at once."""
    requests_per_second: float = 100.0
    """Sustained; static files are counted apart."""
    requests_at_once: float = 600.0
    files_per_second: float = 300.0
    files_at_once: float = 3000.0
    """Static files: they cost little, and a class that opens a page wants hundreds."""
    body_bytes: int = 64 * 1024
    body_s: float = 10.0
    """How long a request may take to send its body."""
    frame_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    faults_in_a_row: int = 5
    """After so many messages that make no sense a connection is closed."""
    hello_s: float = 10.0
    send_s: float = 10.0
    """How long a viewer may take to receive one message before it is cut off."""
    ping_s: float = 15.0
    drawing_s: float = 60.0
    """How long one picture may keep all processors busy."""
    ladder_s: float = 300.0
    """How long the reckoning of one ladder may keep all processors busy."""
    drawings: int = 400
    """Pictures waiting to be drawn."""
    drawings_per_address: int = 100
    """Of these, for one address: a class behind one router asks at once."""
    readings_per_address: int = 100
    """Lists of games that are waiting to be read for one address."""
    cached_bytes: int = 64 * 1024 * 1024
    """Pictures kept in memory."""


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """The match on the front page."""

    move_s: float = 1.2
    rest_s: float = 5.0
    """Between two games."""
    game: str | None = "gravity"
    """Play this one; None is one of all by lot."""
    rules: dict[str, Any] | None = None
    """Play these instead of the presets of the games."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where pages are served, and within which bounds."""

    host: str = "127.0.0.1"
    port: int = 8000
    limits: Limits = Limits()
    openness: Openness = Openness()

    def __post_init__(self) -> None:
        """Take brackets off the host."""
        msgspec.structs.force_setattr(self, "host", bare_host(self.host))

    @property
    def is_loopback(self) -> bool:
        """Say whether only this machine can reach the pages."""
        if self.host.lower().removesuffix(".") == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


class Settings(Place, frozen=True, kw_only=True):
    """How the arena is run."""

    data: Path
    """Games and records are kept here."""
    index: str | None = None
    """The database in which games are listed, as a URL; None: a file of SQLite in ``data``."""
    redis: str | None = None
    """The Redis by which relays hear of games, as a URL; None: there are no relays."""
    artworks: Path | None = None
    """A PNG of every finished board is saved here."""
    contests: Path | None = None
    """A contest, or a folder of contests, that is shown."""
    show: Show = Show()
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Where numbers are told to monitors; None: nowhere."""
    log: Literal["json", "text"] | None = None
    """How events are logged, those of the audit trail among them; None: warnings alone."""
    programs: dict[str, str] = {}
    """Programs that can be seated at tables: ``program:NAME``, and the command that is started, ``cmd:…``."""
    sandbox: bool = False
    """Whether these programs run in a sandbox."""


class RelaySettings(Place, frozen=True, kw_only=True):
    """How a relay is run."""

    redis: str
    """The Redis by which it hears of games, as a URL."""
    log: Literal["json", "text"] | None = None
    """How events are logged; None: warnings alone."""


def default_data() -> Path:
    """Return the folder of this user in which programs keep their data. Raises ArenaError where there is none."""
    try:
        if sys.platform == "win32":
            return user_folder("LOCALAPPDATA") / "hinterland" / "arena"
        if sys.platform == "darwin":
            return user_folder("XDG_DATA_HOME", "Library", "Application Support") / "hinterland"
        return user_folder("XDG_DATA_HOME", ".local", "share") / "hinterland"
    except ArenaError as error:
        raise ArenaError(f"{error}; or name a folder for games with --data") from None
