"""Shared parts of the tests of games over sockets: seating, playing on, and the lateness of a verdict."""

import asyncio
import time

from hinterland.gravity import Rules
from hinterland.referee import judge
from referee_clients import HpsPlayer, Log, make_admission, play_json

THREE = Rules(size=16, players=3, stones=2, spacing=3)
NO_GRACE = make_admission(grace_ms=0)
PROMPT_NS = 50_000_000
"""How long after its deadline a verdict may come."""


async def seated(table, *names):
    return [await table.sit(name) for name in names]


async def joined(table, *names):
    return [await table.join(name) for name in names]


async def play_hps(table, *wires):
    players = [HpsPlayer(wire, table.plan.config.rules) for wire in wires]
    await asyncio.gather(*(player.play() for player in players))
    await table.done()
    return [player.lines for player in players]


async def play_all(table, *wires):
    told = await asyncio.gather(*(play_json(wire, table.plan.config.rules) for wire in wires))
    await table.done()
    return told


def reasons(records):
    return [[left.reason for left in kept.departures] for kept in records]


def lateness_ns(table, number=0):
    """Return how long after its deadline a seat was flagged, without standstills of this process."""
    game, departed, at_ns = [what for what in table.log.all("Departure") if what[1].reason == "time"][number]
    asked = [effect for of, effect, _ in table.log.all("Request") if of is game and effect.seat == departed.seat][-1]
    return at_ns - asked.deadline_ns - game.judged.lag_ns


class Stalls(Log):
    """Stands still for a moment, with the whole process, after a number of requests."""

    def __init__(self, stalls):
        super().__init__()
        self.stalls = stalls

    def on_effects(self, game, effects):
        super().on_effects(game, effects)
        if any(isinstance(effect, judge.Request) for effect in effects) and self.stalls:
            pause_s = self.stalls.pop(0)
            if pause_s:
                asyncio.get_running_loop().call_soon(time.sleep, pause_s)
