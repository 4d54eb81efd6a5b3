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
"""Most bytes that are read of a request body with a game file.

A game file above ``Limits.record_bytes``, which is smaller, is refused with a clear answer.
"""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on what clients can make the server do or hold. Rates are per client address.

    No option sets a limit, only Python: ``Settings(limits=Limits(…))``.
    """

    live_games: int = 400
    """Games in memory; the others are on the disk."""
    idle_s: float = 60.0
    """Seconds for which an idle, unwatched game stays in memory."""
    viewers: int = 2000
    """Open connections of viewers, all games together."""
    viewers_per_game: int = 1000
    viewers_per_address: int = 1000
    """Viewers without a key from one address.

    The limit is below ``connections_per_address``, to leave room for players.
    """
    hosted_matches: int = 8
    """Hosted matches at the same time, not counting challenges."""
    seats_per_address: int = 12
    """Seats of one match that people of one address may take."""
    deserted_s: float = 600.0
    """Seconds for which a hosted match stays open while no player is there."""
    answer_s: float = 0.4
    """Pause of a built-in player before it answers a person. No clock runs meanwhile."""
    challenges: int = 400
    """Challenges at the same time."""
    challenges_per_address: int = 60
    """Challenges of one address at the same time. A class of pupils behind one router has one address."""
    challenge_s: float = 3600.0
    """Seconds for which a challenge is kept while nobody looks at its page."""
    games_per_minute: float = 30.0
    boards_per_second: float = 4.0
    boards_at_once: float = 30.0
    """Previews of boards on set-up pages that a client may ask for at once."""
    reviews_per_minute: float = 20.0
    """Reviews that one address may ask for."""
    review_s: float = 40.0
    """Time limit of a review; moves that are not analysed by then stay unknown."""
    films_per_minute: float = 20.0
    """Videos that one address may ask for."""
    film_s: float = 45.0
    """Time limit for drawing a video; the time needed is estimated from the first frames."""
    record_bytes: int = 1024 * 1024
    """Largest game file, and largest study that is put into a game file."""
    records_per_minute: float = 30.0
    """Game files that one address may send."""
    record_s: float = 20.0
    """Time limit for judging a game file."""
    uploaded_bytes: int = 128 * 1024 * 1024
    """Memory for opened game files; those unused for longest are dropped first."""
    connections_per_address: int = 1200
    """Connections of one address.

    A class of pupils behind one router has one address, and each browser holds several connections.
    """
    connections_per_second: float = 100.0
    """New connections of one address a second; up to ``connections_per_address`` may come at once."""
    waiting_per_address: int = 200
    """Idle connections of one address; a further one replaces the connection that has been idle for longest."""
    request_s: float = 15.0
    """Seconds within which a connection must send the head of its first request, and of each next request."""
    control_frames_per_second: float = 5.0
    """Pings, pongs and fragments a second on one WebSocket; ten times as many may come at once."""
    requests_per_second: float = 100.0
    """Requests of one address a second, on average. Static files are counted separately: ``files_per_second``."""
    requests_at_once: float = 600.0
    files_per_second: float = 300.0
    files_at_once: float = 3000.0
    """Static files that one address may request at once: a class of pupils that opens a page needs hundreds."""
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
    """Seconds between two pings by the server.

    Two mechanisms use this interval: every WebSocket gets the protocol's ping frames (``ws_ping_interval`` in
    ``server.py``), and a viewer without news gets the JSON message ``ping`` (``ViewerConnection``).
    """
    drawing_s: float = 60.0
    """Time limit for drawing one picture."""
    ladder_s: float = 300.0
    """Time limit for the calculation of one ladder."""
    drawings: int = 400
    """Pictures waiting to be drawn."""
    drawings_per_address: int = 100
    """Pictures that wait for one address. A class of pupils behind one router may ask for many at once."""
    readings_per_address: int = 100
    """Requests of one address that wait for a reader thread, such as those for lists of games."""
    cached_bytes: int = 64 * 1024 * 1024
    """Memory for cached pictures."""


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """The match on the front page."""

    move_s: float = 1.2
    rest_s: float = 5.0
    """Pause between two games."""
    game: str | None = next(iter(catalog.GAMES))
    """Name of the game to play; None: a random one for each game."""
    rules: dict[str, Any] | None = None
    """Rules of the games; None: those of a random preset for each game."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Address and limits of a server with pages."""

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
    """Folder of one contest, or of several, to show."""
    show: Show = Show()
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Port of the metrics; None: no metrics."""
    log: Literal["json", "text"] | None = None
    """Format of the event log, with the audit trail; None: warnings only."""
    programs: dict[str, str] = {}
    """Programs that can be seated. A key is a name, ``program:NAME``; its value a spec, such as ``cmd:…``."""
    sandbox: bool = False
    """Whether the ``programs`` run in a sandbox."""


class RelaySettings(Place, frozen=True, kw_only=True):
    """The settings of a relay."""

    redis: str
    """URL of the Redis through which the games come."""
    log: Literal["json", "text"] | None = None
    """Format of the event log; None: warnings only."""


def default_data() -> Path:
    """Return the default data folder of this user. Raises ArenaError if the user has none."""
    try:
        if sys.platform == "win32":
            return user_folder("LOCALAPPDATA") / "hinterland" / "arena"
        if sys.platform == "darwin":
            return user_folder("XDG_DATA_HOME", "Library", "Application Support") / "hinterland"
        return user_folder("XDG_DATA_HOME", ".local", "share") / "hinterland"
    except ArenaError as error:
        raise ArenaError(f"{error}; or name a folder for games with --data") from None
