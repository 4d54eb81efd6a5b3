"""The settings of an arena: addresses, folders and limits."""

from __future__ import annotations

import ipaddress
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec

from hinterland import catalog
from hinterland.errors import ArenaError
from hinterland.host.network.tcp import bare_host
from hinterland.user_folders import user_folder
from hinterland.web.openness import Openness

MAX_BODY_BYTES = 2 * 1024 * 1024
"""Longest body read at all, for game files; ``Limits`` says what is accepted."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on what clients can make the server do or hold. Rates are per client address."""

    live_games: int = 400
    """Games in memory; the others are on the disk."""
    idle_s: float = 60.0
    """How long an idle, unwatched game stays in memory."""
    viewers: int = 2000
    """Open connections of viewers, all games together."""
    viewers_per_game: int = 1000
    viewers_per_address: int = 1000
    """Viewers of one address without a key; fewer than its connections, so that its players find room."""
    hosted_matches: int = 8
    """Hosted matches with a port, at a time."""
    seats_per_address: int = 12
    """Seats of one match that people of one address may take."""
    deserted_s: float = 600.0
    """How long a match waits for its first player."""
    answer_s: float = 0.4
    """Pause of a built-in player before it answers a person, on nobody's clock."""
    challenges: int = 400
    """Challenges at a time."""
    challenges_per_address: int = 60
    """Challenges of one address: a class behind one router is one address."""
    challenge_s: float = 3600.0
    """How long a challenge is kept while nobody looks at it."""
    games_per_minute: float = 30.0
    boards_per_second: float = 4.0
    boards_at_once: float = 30.0
    """Boards that a browser may look at while setting up games."""
    reviews_per_minute: float = 20.0
    """Games that a browser may have reviewed."""
    review_s: float = 40.0
    """Time limit of a review; the remaining moves stay unknown."""
    films_per_minute: float = 20.0
    """Videos that a browser may ask for."""
    film_s: float = 45.0
    """Time limit of a video, estimated from its first frames."""
    record_bytes: int = 1024 * 1024
    """Size of a game file, and of a study to put into one."""
    records_per_minute: float = 30.0
    """Game files of one address."""
    record_s: float = 20.0
    """Time limit for judging a game file."""
    uploaded_bytes: int = 128 * 1024 * 1024
    """Memory for opened game files; those used last stay."""
    connections_per_address: int = 1200
    """Connections of one address: a class behind one router is one, and each browser holds several."""
    connections_per_second: float = 100.0
    """New connections of one address; as many as its share allows may come at once."""
    waiting_per_address: int = 200
    """Idle connections of one address. The next replaces the one that has waited longest."""
    request_s: float = 15.0
    """Time limit for the first or next request of a connection, without its body."""
    control_frames_per_second: float = 5.0
    """Pings, pongs and fragments on one WebSocket; ten times as many may come at once."""
    requests_per_second: float = 100.0
    """Sustained; static files are counted apart."""
    requests_at_once: float = 600.0
    files_per_second: float = 300.0
    files_at_once: float = 3000.0
    """Static files: they are cheap, and a class that opens a page needs hundreds."""
    body_bytes: int = 64 * 1024
    body_s: float = 10.0
    """Time limit for the body of a request."""
    frame_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    faults_in_a_row: int = 5
    """Invalid messages in a row after which a connection is closed."""
    hello_s: float = 10.0
    send_s: float = 10.0
    """Time limit for a viewer to receive one message."""
    ping_s: float = 15.0
    drawing_s: float = 60.0
    """Time limit of one picture."""
    ladder_s: float = 300.0
    """Time limit for the calculation of one ladder."""
    drawings: int = 400
    """Pictures waiting to be drawn."""
    drawings_per_address: int = 100
    """Waiting pictures of one address: a class behind one router asks at once."""
    readings_per_address: int = 100
    """Waiting list requests of one address."""
    cached_bytes: int = 64 * 1024 * 1024
    """Memory for cached pictures."""


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """The match on the front page."""

    move_s: float = 1.2
    rest_s: float = 5.0
    """Pause between two games."""
    game: str | None = next(iter(catalog.GAMES))
    """The game to play; None draws one at random."""
    rules: dict[str, Any] | None = None
    """Rules to play instead of the games' presets."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where pages are served, and within which limits."""

    host: str = "127.0.0.1"
    port: int = 8000
    limits: Limits = Limits()
    openness: Openness = Openness()

    def __post_init__(self) -> None:
        """Remove the brackets of an IPv6 host."""
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
    """The settings of an arena."""

    data: Path
    """Folder of games and records."""
    index: str | None = None
    """URL of the database that lists games; None: an SQLite file in ``data``."""
    redis: str | None = None
    """URL of the Redis for relays; None: there are no relays."""
    artworks: Path | None = None
    """Folder for a PNG of every finished board."""
    contests: Path | None = None
    """A contest, or a folder of contests, to show."""
    show: Show = Show()
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Port of the metrics; None: no metrics."""
    log: Literal["json", "text"] | None = None
    """Format of the event log, with the audit trail; None: warnings only."""
    programs: dict[str, str] = {}
    """Programs that can be seated: ``program:NAME``, and the command, ``cmd:…``."""
    sandbox: bool = False
    """Whether these programs run in a sandbox."""


class RelaySettings(Place, frozen=True, kw_only=True):
    """The settings of a relay."""

    redis: str
    """URL of its Redis."""
    log: Literal["json", "text"] | None = None
    """Format of the event log; None: warnings only."""


def default_data() -> Path:
    """Return the default data folder of this user. Raises ArenaError if there is none."""
    try:
        if sys.platform == "win32":
            return user_folder("LOCALAPPDATA") / "hinterland" / "arena"
        if sys.platform == "darwin":
            return user_folder("XDG_DATA_HOME", "Library", "Application Support") / "hinterland"
        return user_folder("XDG_DATA_HOME", ".local", "share") / "hinterland"
    except ArenaError as error:
        raise ArenaError(f"{error}; or name a folder for games with --data") from None
