"""The fuzzer finds nothing, and would have found something."""

import time

import pytest

import fuzz_protocol
from hinterland.jit import JIT_ON
from hinterland.referee.protocol.hps import HpsSession
from hinterland.referee.protocol.hps_2016 import Hps2016Session
from hinterland.referee.protocol.hps_2018 import Hps2018Session
from hinterland.referee.protocol.json_lines import JsonSession
from hinterland.referee.protocol.session import Broken, Ignored, Introduction, MoveReply, UnreadableReply
from hinterland.referee.verdicts import Verdict

COUNT = 20_000 if JIT_ON else 2_000
FIRST, *OTHERS = sorted(fuzz_protocol.KINDS)


@pytest.mark.parametrize("protocol", [FIRST, *(pytest.param(one, marks=pytest.mark.thorough) for one in OTHERS)])
def test_nothing_but_heard_values_comes_out(protocol):
    report = fuzz_protocol.run(COUNT // 2, kinds={protocol: fuzz_protocol.KINDS[protocol]})
    assert report.inputs == COUNT // 2
    for kind in (Introduction, MoveReply, UnreadableReply, Ignored, Broken):
        assert report.heard[kind] > COUNT // 100, f"the fuzzer seldom gets as far as {kind.__name__}"
    assert report.most_held > 4000


class Raises(HpsSession):
    def _read_move(self, text):
        return (int(text.split()[0]), int(text.split()[1]))


class Hoards(JsonSession):
    def feed(self, data, stamp_ns):
        heard = super().feed(data, stamp_ns)
        self.framer._unfinished += data
        return heard


class Dawdles(JsonSession):
    def feed(self, data, stamp_ns):
        if len(data) > 4096:
            until = time.thread_time() + fuzz_protocol.MAX_SECONDS + 0.01
            while time.thread_time() < until:
                pass
        return super().feed(data, stamp_ns)


class Invents(JsonSession):
    def _take_join(self, name, token):
        return (name,)


class PrintsRaw(HpsSession):
    def _count_stray(self, detail):
        return Ignored("\x1b[31m")


class ListensOn(JsonSession):
    def _break(self, verdict, detail):
        broken = super()._break(verdict, detail)
        self.is_closed = False
        return broken


class AnswersTwice(HpsSession):
    def _understand(self, text, stamp_ns):
        heard = super()._understand(text, stamp_ns)
        return [*heard, *heard] if heard and isinstance(heard[0], MoveReply) else heard


class BreaksWithoutReason(HpsSession):
    def _break(self, verdict, detail):
        super()._break(verdict, detail)
        return Broken(Verdict.CRASH, detail)


class MeetsTwice(Hps2016Session):
    def take_unfinished(self):
        return (Introduction("again"),) if self.has_introduced else super().take_unfinished()


class HoardsBrackets(Hps2018Session):
    def feed(self, data, stamp_ns):
        heard = super().feed(data, stamp_ns)
        self.framer._unfinished += data
        return heard


PLANTED = [
    *(Raises, Hoards, Dawdles, Invents, PrintsRaw, ListensOn, AnswersTwice, BreaksWithoutReason),
    *(MeetsTwice, HoardsBrackets),
]


@pytest.mark.parametrize("kind", PLANTED, ids=lambda kind: kind.__name__)
def test_planted_faults_are_found(kind):
    with pytest.raises(fuzz_protocol.Found, match="input"):
        fuzz_protocol.run(5_000, kinds={kind.protocol: kind})


def test_the_same_seed_gives_the_same_inputs():
    first, second = (fuzz_protocol.run(300, seed=5) for _ in range(2))
    assert (first.heard, first.most_held) == (second.heard, second.most_held)
