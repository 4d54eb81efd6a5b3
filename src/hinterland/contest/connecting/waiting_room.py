"""Bots that have shown their tokens and wait for their next match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hinterland.host.lobby import Lobby
from hinterland.host.match_host import SESSIONS
from hinterland.host.players.remote_player import RemotePlayer
from hinterland.referee.protocol import session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from hinterland.host.lag_monitor import LagMonitor
    from hinterland.host.live_match import MatchConfig
    from hinterland.host.lobby import AdmissionLimits
    from hinterland.host.network.link import Link
    from hinterland.host.observer import Observer
    from hinterland.host.pending_connection import PendingConnection
    from hinterland.referee.verdicts import Verdict

    class MatchHost(Protocol):
        """Hears of bots that arrive and leave."""

        def on_arrival(self, name: str) -> None:
            """Handle a bot that waits for its next match."""

        def on_departure(self, name: str) -> None:
            """Handle a bot that has gone although no match has begun."""


class WaitingBot:
    """A bot's connection between two matches, after its token."""

    def __init__(self, room: WaitingRoom, name: str, link: Link) -> None:
        self.name, self.link = name, link
        self._room = room
        link.owner = self

    def on_message(self, message: session.Inbound) -> None:
        """Take what it says although nothing was asked; who breaks the protocol is sent away."""
        match message:
            case session.Broken(verdict, detail):
                self._room.forget_bot(self)
                self._room.send_away(self.link, f"{verdict}: {detail}")
            case session.Ignored():
                self.link.say(self.link.session.report_ignored(message))

    def on_lost(self, verdict: Verdict, detail: str) -> None:  # noqa: ARG002
        """Learn that it is gone."""
        self._room.forget_bot(self)


class WaitingRoom(Lobby):
    """A lobby that admits every bot with a token, for any number of matches. It belongs to one event loop."""

    def __init__(
        self,
        config: MatchConfig,
        protocol: str,
        tokens: Mapping[str, str],
        lag_monitor: LagMonitor,
        observer: Observer,
        admission: AdmissionLimits,
        hostess: MatchHost,
    ) -> None:
        """``config``: the configuration that bots hear of before their match is known."""
        super().__init__(config, 0, SESSIONS[protocol], lag_monitor, observer, admission, tokens, matches=0)
        self.bots: dict[str, WaitingBot] = {}
        """Waiting bots, by name."""
        self._host = hostess
        self._closed: str | None = None

    def seat_token_holder(self, pending: PendingConnection, name: str) -> None:
        """Bring a player back to the match that it left, or let it wait for its next one."""
        if self._closed is not None:
            pending.send_away(self._closed)
            return
        player, link = self.find_player(name), pending.hand_over()
        if player is not None and player.absence is None:
            player.come_back(link)
            return
        if (former := self.bots.pop(name, None)) is not None:
            former.link.close(link.session.dismiss(session.Farewell(detail="another connection took this seat")))
        self.bots[name] = WaitingBot(self, name, link)
        self._host.on_arrival(name)

    def _find_refusal(self, address: str) -> str | None:
        return self._closed or super()._find_refusal(address)

    def forget_bot(self, bot: WaitingBot) -> None:
        """Forget a bot that has gone."""
        if self.bots.get(bot.name) is bot:
            del self.bots[bot.name]
            self._host.on_departure(bot.name)

    def seat(self, number: int, name: str, config: MatchConfig) -> RemotePlayer:
        """Seat a waiting bot in a match; it may return to the match with its token."""
        admission = self.admission
        player = RemotePlayer(
            config.kind, number, name, self.bots.pop(name).link, self.observer,
            grace_ms=admission.grace_ms, pause_s=admission.pause_s, late_reply_s=admission.late_reply_s,
            may_return=True,
        )  # fmt: skip
        self.players.append(player)
        player.welcome(config.rules)
        return player

    def close(self, detail: str = "the contest is over") -> None:
        """Admit nobody any more, and disconnect all bots with a reason."""
        self._closed = detail
        last_words = session.Farewell(detail=detail)
        for bot in self.bots.values():
            bot.link.close(bot.link.session.dismiss(last_words))
        self.bots.clear()
        for player in self.players:
            player.dismiss(last_words)
