"""The challenges of an arena.

Making a challenge needs no admin token, but each address may make only a limited number.
"""

from __future__ import annotations

from typing import Any

import msgspec

from hinterland.errors import ArenaError
from hinterland.host.match_host import HostConfig
from hinterland.referee.clock import TimeControl
from hinterland.storage.game_setup import new_key
from hinterland.web.matches.hosted_match import HostedMatch
from hinterland.web.matches.hosting import Hosting
from hinterland.web.settings import Limits

MAX_LISTED_CHALLENGES = 100
"""Challenges in the list, at most."""


class ChallengeCard(msgspec.Struct, frozen=True):
    """An open challenge in the list."""

    url: str
    socket: str
    """WebSocket path on which a program accepts the challenge, in protocol json."""
    game: str
    title: str
    names: tuple[str, ...]
    """Names of the players who are waiting."""
    free: int
    """Number of free seats."""
    rules: dict[str, Any]
    clock: TimeControl | None
    """The clock settings; None: no limit."""


class Challenges:
    """Makes challenges and lists them. Call the methods only in the event loop."""

    def __init__(self, hosting: Hosting, limits: Limits) -> None:
        self._hosting = hosting
        self._limits = limits
        self._made: dict[str, str] = {}
        """Address of the maker of each running challenge, by match id."""

    async def make(
        self, plan: HostConfig, name: str, address: str, *, to_all: bool, guest: str = ""
    ) -> tuple[HostedMatch, str]:
        """Open a match and seat its maker.

        Return the match and the maker's key, which can close the match until a game begins.

        ``address``: the address that the challenge counts for, "" for none; ``guest``: the digest of the browser's
        cookie. Raises ArenaError if there are too many challenges.
        """
        self._check_room(address)
        key = new_key()
        hosted = await self._hosting.open_challenge(plan, key)
        self._made[hosted.show.id] = address
        await hosted.take_seat(name, address, key=key, guest=guest)
        if to_all:
            await hosted.offer(to_all=True)
        return hosted, key

    def _check_room(self, address: str) -> None:
        going_on = self._hosting.challenges()
        ids = {hosted.show.id for hosted in going_on}
        self._made = {show: maker for show, maker in self._made.items() if show in ids}
        challenges = self._limits.challenges
        if len(going_on) >= challenges:
            raise ArenaError(f"all {challenges} places for games with friends are taken; try again in a few minutes")
        most = self._limits.challenges_per_address
        if address and list(self._made.values()).count(address) >= most:
            raise ArenaError(f"{most} games with friends go on from your address already; end one first")

    def list_offered(self) -> list[ChallengeCard]:
        """List the open challenges at which a player is present, the latest first."""
        open_to_all = [one for one in self._hosting.challenges() if one.show.is_offered and one.show.is_gathering]
        return [_card(hosted) for hosted in reversed(open_to_all) if hosted.show.here][:MAX_LISTED_CHALLENGES]


def _card(hosted: HostedMatch) -> ChallengeCard:
    show = hosted.show
    control = show.plan.config.control
    names = show.waiting
    return ChallengeCard(
        url=f"/tables/{show.id}", socket=f"/tables/{show.id}/join", game=show.kind.name,
        title=show.plan.config.kind.title, names=names, free=show.plan.guests - len(names),
        rules=show.page_rules, clock=control if control.is_limited else None,
    )  # fmt: skip
