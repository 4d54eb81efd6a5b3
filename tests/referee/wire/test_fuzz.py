"""The fuzzer finds nothing, and would have found something."""

import time

import pytest

import fuzz_wire
from hinterland.jit import JIT_ON
from hinterland.referee.judge import Verdict
from hinterland.referee.wire.hps import HpsTalk
from hinterland.referee.wire.hps_2016 import Hps2016Talk
from hinterland.referee.wire.hps_2018 import Hps2018Talk
from hinterland.referee.wire.json_lines import JsonTalk
from hinterland.referee.wire.talk import Broken, Ignored, Introduction, Reply, Unreadable

COUNT = 20_000 if JIT_ON else 4_000


@pytest.mark.parametrize("protocol", sorted(fuzz_wire.KINDS))
def test_nothing_but_heard_values_comes_out(protocol):
    report = fuzz_wire.run(COUNT // 2, kinds={protocol: fuzz_wire.KINDS[protocol]})
    assert report.inputs == COUNT // 2
    for kind in (Introduction, Reply, Unreadable, Ignored, Broken):
        assert report.heard[kind] > COUNT // 100, f"the fuzzer seldom gets as far as {kind.__name__}"
    assert report.most_held > 4000


class Raises(HpsTalk):
    def _move(self, text):
        return (int(text.split()[0]), int(text.split()[1]))


class Hoards(JsonTalk):
    def hear(self, data, stamp_ns):
        heard = super().hear(data, stamp_ns)
        self.framer._unfinished += data
        return heard


class Dawdles(JsonTalk):
    def hear(self, data, stamp_ns):
        if len(data) > 4096:
            until = time.thread_time() + fuzz_wire.MOST_SECONDS + 0.01
            while time.thread_time() < until:
                pass
        return super().hear(data, stamp_ns)


class Invents(JsonTalk):
    def _join(self, name, token):
        return (name,)


class PrintsRaw(HpsTalk):
    def _stray(self, detail):
        return Ignored("\x1b[31m")


class ListensOn(JsonTalk):
    def _break(self, verdict, detail):
        broken = super()._break(verdict, detail)
        self.is_closed = False
        return broken


class AnswersTwice(HpsTalk):
    def _understand(self, text, stamp_ns):
        heard = super()._understand(text, stamp_ns)
        return [*heard, *heard] if heard and isinstance(heard[0], Reply) else heard


class BreaksWithoutReason(HpsTalk):
    def _break(self, verdict, detail):
        super()._break(verdict, detail)
        return Broken(Verdict.CRASH, detail)


class MeetsTwice(Hps2016Talk):
    def settle(self):
        return (Introduction("again"),) if self.has_introduced else super().settle()


class HoardsBrackets(Hps2018Talk):
    def hear(self, data, stamp_ns):
        heard = super().hear(data, stamp_ns)
        self.framer._unfinished += data
        return heard


PLANTED = [
    *(Raises, Hoards, Dawdles, Invents, PrintsRaw, ListensOn, AnswersTwice, BreaksWithoutReason),
    *(MeetsTwice, HoardsBrackets),
]


@pytest.mark.parametrize("kind", PLANTED, ids=lambda kind: kind.__name__)
def test_planted_faults_are_found(kind):
    with pytest.raises(fuzz_wire.Found, match="input"):
        fuzz_wire.run(5_000, kinds={kind.protocol: kind})


def test_the_same_seed_gives_the_same_inputs():
    first, second = (fuzz_wire.run(300, seed=5) for _ in range(2))
    assert (first.heard, first.most_held) == (second.heard, second.most_held)
