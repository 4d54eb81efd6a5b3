"""Prints what happens while a referee waits and plays: one line an event, on stderr; results on stdout."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from hinterland.cli.console import describe_winners, encode_result, plain, print_json, print_result
from hinterland.host.observer import Observer
from hinterland.referee import judge
from hinterland.referee.verdicts import replace_seats_by_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hinterland.host.live_game import LiveGame
    from hinterland.host.match_host import HostConfig
    from hinterland.host.player_connection import PlayerConnection
    from hinterland.referee.match import Result
    from hinterland.referee.record import Record

MAX_NOTES = 200
"""Largest number of lines about connections, so that a port scanner cannot fill the screen."""


class Asides(Observer):
    """Prints events other than moves: the last output of programs, awaited bots, standstills of the machine."""

    def say(self, line: str) -> None:
        sys.stderr.write(f"{plain(line)}\n")
        sys.stderr.flush()

    def on_note(self, line: str) -> None:
        self.say(line)

    def on_last_words(self, name: str, text: str) -> None:
        self.say(f"last words of {name} on its standard error:")
        for line in text.splitlines():
            self.say(f"  | {line}")

    def on_match_over(self, result: Result) -> None:
        if result.unplayed:
            self.say(result.unplayed)

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:  # noqa: ARG002
        for effect in effects:
            self.print_delay(effect)

    def print_delay(self, effect: judge.Effect) -> None:
        """If an effect reports a standstill of the machine, print a line about it."""
        if isinstance(effect, judge.Delayed) and effect.stood_ns:
            self.say(f"  this machine stood still for {effect.stood_ns / 1e9:.2f} s; no player was charged for it")


class ConnectionNotes(Asides):
    """Prints which connections to a contest were refused, up to a limit, and which players left or came back."""

    def __init__(self) -> None:
        self._notes = 0

    def on_note(self, line: str) -> None:
        self._notes += 1
        if self._notes <= MAX_NOTES:
            self.say(line if self._notes < MAX_NOTES else f"{line} (the last such line that is shown)")

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        self.say(f"{player.name} is gone from its match: {detail}; it may come back while its clock runs")

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        self.say(f"{player.name} is back in its match, from {origin}")


class Terminal(Asides):
    """Prints everything that happens."""

    def __init__(self, plan: HostConfig, *, as_json: bool) -> None:
        self._plan = plan
        self._as_json = as_json
        self._notes = 0
        self._here: dict[int, str] = {}
        self._shows_moves = plan.matches == 1
        self._records: dict[int, list[Record]] = defaultdict(list)

    def announce_address(self, host: str, port: int) -> None:
        """Print what will be played, and where to connect."""
        config, plan = self._plan.config, self._plan
        control = config.control
        budget = "no clock" if control.budget_ms is None else f"{control.budget_ms / 1000:g} s each"
        bonus = f" + {control.increment_ms / 1000:g} s a move" if control.increment_ms else ""
        manners = f"an illegal move: {plan.illegal} · protocol {plan.protocol}"
        self.say(f"{config.rules.summary} · {budget}{bonus} · {manners}")
        if plan.habits:
            self.say(f"{plan.protocol} as in the course: {plan.habits}")
        players = "player" if plan.guests == 1 else "players"
        shown_host = f"[{host}]" if ":" in host else host
        matches = "" if plan.matches == 1 else f" for each of {plan.matches} matches"
        if plan.tokens is not None:
            self.say(f"players show their tokens: {', '.join(plan.tokens)}")
        self.say(f"listening on {shown_host}:{port}, waiting for {plan.guests} {players}{matches}")

    def on_note(self, line: str) -> None:
        self._notes += 1
        if self._notes < MAX_NOTES:
            self.say(line)
        elif self._notes == MAX_NOTES:
            self.say(f"{line} (the {MAX_NOTES}th such line, and the last that is shown)")

    def on_join(self, player: PlayerConnection, origin: str) -> None:
        self._here[player.number] = player.name
        missing = self._plan.guests - len(self._here) if self._shows_moves else 0
        waiting = f", waiting for {missing} more" if missing > 0 else ""
        self.say(f"player {player.number + 1} is {player.name}, from {origin}{waiting}")

    def on_leave(self, player: PlayerConnection, detail: str) -> None:
        self._here.pop(player.number, None)
        self.say(f"player {player.number + 1}, {player.name}, is gone: {detail}")

    def on_return(self, player: PlayerConnection, origin: str) -> None:
        self.say(f"player {player.number + 1}, {player.name}, is back, from {origin}")

    def on_match_begin(self, match: int, names: Sequence[str]) -> None:  # noqa: ARG002
        self._here.clear()
        if not self._shows_moves:
            self.say(f"match begins: {' against '.join(names)}")

    def on_game_begin(self, game: LiveGame) -> None:
        if self._shows_moves:
            others = ", ".join(game.names[1:])
            self.say(f"game {game.number} of {game.terms.games}: {game.names[0]} begins against {others}")
            columns = " · ".join(game.names[seat] for seat in _seats_by_number(game))
            self.say(f"      the scores are those of {columns}")

    def on_effects(self, game: LiveGame, effects: Sequence[judge.Effect]) -> None:
        super().on_effects(game, effects)
        for effect in effects:
            line = _describe_effect(game, effect) if self._shows_moves or not isinstance(effect, judge.Played) else None
            if line is not None:
                self.say(line)

    def on_game_over(self, game: LiveGame, record: Record) -> None:
        if record.reason == judge.Verdict.VOID:
            self.say(f"game {record.number} is void: {record.detail}")
            return
        self._records[game.match].append(record)
        scores = " · ".join(f"{record.players[seat]} {record.scores[seat]:,}" for seat in _seats_by_number(game))
        self.say(f"game {record.number} is over: {scores} ({replace_seats_by_names(record.detail, record.players)})")

    def on_match_over(self, result: Result) -> None:
        played = self._records.pop(result.number, [])
        if self._as_json:
            print_json(encode_result(result))
        elif played and not self._shows_moves:
            totals = " · ".join(f"{player.name} {player.total:,}" for player in result.players)
            unplayed = f" ({plain(result.unplayed)})" if result.unplayed else ""
            sys.stdout.write(f"match {result.number}: {plain(totals)}: {plain(describe_winners(result))}{unplayed}\n")
        elif played:
            print_result(result, played, self._plan.config.rules.summary)
        sys.stdout.flush()


def _seats_by_number(game: LiveGame) -> list[int]:
    """Return the seats in the order of their players' numbers, which do not change during a match."""
    return sorted(range(len(game.players)), key=lambda seat: game.players[seat].number)


def _describe_effect(game: LiveGame, effect: judge.Effect) -> str | None:
    """Describe an effect for people; None for an effect that is not worth a line."""
    match effect:
        case judge.Played(seat, move, ms, scores):
            said = game.judged.position.rules.told(move)
            totals = " · ".join(f"{scores[seat]:,}" for seat in _seats_by_number(game))
            return f"  {len(game.judged.position.moves):3} {game.names[seat]} {said} in {ms / 1000:.2f} s: {totals}"
        case judge.Refused(seat, _, detail):
            return f"  {game.names[seat]} has to try again: {replace_seats_by_names(detail, game.names)}"
        case judge.Skipped(seat, _, detail):
            return f"  {game.names[seat]} loses the turn: {replace_seats_by_names(detail, game.names)}"
        case judge.Departure(seat, verdict, detail):
            words = replace_seats_by_names(detail, game.names)
            return f"  {game.names[seat]} is out of game {game.number}, {verdict}: {words}"
    return None
