"""Who plays hears of a move before any crowd, and everybody of the crowd hears of the latest."""

import asyncio

import pytest

from hinterland.web.live.audience import COUNT_DELAY_S, VIEWERS_PER_TURN, Audience, Viewer


class Listener(Viewer):
    """Notes in a common list that it was woken."""

    def __init__(self, key, heard):
        super().__init__(None, key)
        self.heard = heard

    def wake(self):
        super().wake()
        self.heard.append(self)


def gathered(crowd):
    heard = []
    audience = Audience()
    viewers = [Listener(None, heard) for _ in range(crowd)]
    player = Listener("key", heard)
    for viewer in [*viewers, player]:
        audience.join(viewer)
    return audience, viewers, player, heard


@pytest.mark.parametrize("crowd", [0, 1, VIEWERS_PER_TURN, 5 * VIEWERS_PER_TURN + 1])
def test_players_first_then_everybody_once(crowd):
    async def run():
        audience, viewers, player, heard = gathered(crowd)
        audience.wake()
        assert heard[0] is player
        assert len(heard) == 1 + min(crowd, VIEWERS_PER_TURN), "the loop is not held up by the rest"
        for _ in range(10):
            await asyncio.sleep(0)
        assert len(heard) == 1 + crowd
        assert set(heard[1:]) == set(viewers)

    asyncio.run(run())


def test_news_while_the_crowd_is_being_told_starves_nobody():
    async def run():
        audience, viewers, player, heard = gathered(10 * VIEWERS_PER_TURN)
        for _ in range(20):
            audience.wake()
            await asyncio.sleep(0)
        assert heard.count(player) == 20
        assert {viewer for viewer in heard if viewer.key is None} == set(viewers)
        counts = [heard.count(viewer) for viewer in viewers]
        assert max(counts) - min(counts) <= 1

    asyncio.run(run())


def test_one_viewer_may_stand_for_many():
    """The crowd of a relay is counted, whatever comes and goes, and told of once for all."""

    async def run():
        counted = []
        audience = Audience(lambda: counted.append(audience.people))
        ann, relay = Viewer(None, "key"), Viewer(None, None)
        relay.stands_for = 40
        audience.join(ann)
        audience.join(relay)
        assert (len(audience), audience.people) == (2, 41)
        audience.recount(relay, 0)
        assert (len(audience), audience.people) == (2, 1)
        audience.recount(relay, 7)
        assert counted == [], "a crowd that comes at once is counted once"
        await asyncio.sleep(2 * COUNT_DELAY_S)
        assert counted == [8]
        audience.recount(relay, 7)
        audience.leave(relay)
        audience.leave(relay)
        assert (len(audience), audience.people) == (1, 1)
        await asyncio.sleep(2 * COUNT_DELAY_S)
        assert counted == [8, 1]

    asyncio.run(run())
