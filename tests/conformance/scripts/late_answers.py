"""Misbehaviour in time: hostile players that answer late, never, or nearly so."""

from __future__ import annotations

import time

from conformance.scripts.hostile_player import HostilePlayer, misbehaviour

SURELY_LATE_S = 2.5
"""Longer than the grace and what a referee takes off for its own lag."""


@misbehaviour
def plays(player: HostilePlayer) -> None:
    """Do nothing wrong: the control."""
    player.until_asked()
    player.play_on()


@misbehaviour
def never_answers(player: HostilePlayer) -> None:
    """Say nothing when asked."""
    player.until_asked()
    player.idle()


@misbehaviour
def drips(player: HostilePlayer) -> None:
    """Send a digit now and then, and never a line end."""
    player.until_asked()
    player.repeat(b"1", 0.02)


@misbehaviour
def comments(player: HostilePlayer) -> None:
    """Send comments and no answer."""
    player.until_asked()
    player.repeat(b'{"type":"info","text":"thinking"}\n', 0.02)


@misbehaviour
def answers_late(player: HostilePlayer) -> None:
    """Answer the first question when the game is over, and play on properly."""
    player.until_asked()
    late = player.speaker.answer()
    player.until("over")
    player.say(late)
    player.until("ask")
    player.play_on()


@misbehaviour
def answers_in_the_last_moment(player: HostilePlayer) -> None:
    """Answer the first question when the budget is nearly used up, and play on."""
    player.until_asked()
    time.sleep(player.clock_s * 0.75)
    player.play_on()


@misbehaviour
def plays_slowly(player: HostilePlayer) -> None:
    """Take an eighth of the budget for each answer, in every game."""

    def answer() -> None:
        time.sleep(player.clock_s / 8)
        player.say(player.speaker.answer())

    player.until_asked()
    player.play_on(answer)


@misbehaviour
def lives_on_the_increment(player: HostilePlayer) -> None:
    """Answer too late, but not if the increment of the same move counted."""
    player.until_asked()
    time.sleep(player.clock_s + SURELY_LATE_S)
    player.play_on()
