"""Many games through one referee: memory, descriptors, threads and processes must stay as they were.

``PYTHONPATH=tests python tests/soak_referee.py 20000`` plays that many games of bots over TCP, two a match and some
matches at a time. In a tenth of them a player hangs up, and viewers come to a page and leave. It prints a line a
twentieth of the way, the slope of the second half, and what is left in the end.
"""

import asyncio
import contextlib
import json
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

RULES = {"size": 12, "stones": 1, "spacing": 2}
MATCHES_AT_ONCE, GAMES_A_MATCH = 6, 2
SPECTATORS = 4
WARM_UP = 100
"""Number of games until all threads have begun."""
MAX_SLOPE_KIB = 0.2
FOR_EVER = 1_000_000
HINTERLAND = Path(sys.executable).with_name("hinterland")


class Referee:
    """``hinterland referee`` with a page, and its use of the machine."""

    def __init__(self, folder):
        rules = [word for name, value in RULES.items() for word in (f"--{name}", str(value))]
        words = ["referee", "gravity", *rules, "--protocol", "json", "--port", "0", "--matches", str(FOR_EVER)]
        words += ["--watch", "--watch-port", "0", "--record", str(folder / "records.jsonl")]
        self._said = (folder / "said").open("w+b")
        self.process = subprocess.Popen([HINTERLAND, *words], stdout=self._said, stderr=self._said)
        self._looked_at = psutil.Process(self.process.pid)
        self.port, self.page = 0, ""

    async def until_ready(self):
        while not self.page:
            await asyncio.sleep(0.2)
            said = Path(self._said.name).read_text()
            if found := re.search(r"watch it at http://(\S+)", said):
                self.port = int(re.search(r"listening on \S+?:(\d+)", said)[1])
                async with httpx.AsyncClient() as client:
                    page = await client.get(f"http://{found[1]}/")
                table = re.search(r'data-id="([A-Za-z0-9_-]+)"', page.text)[1]
                self.page = f"{found[1]}/tables/{table}"

    def state(self):
        """Return resident KiB, descriptors, threads and children."""
        process = self._looked_at
        return process.memory_info().rss // 1024, process.num_fds(), process.num_threads(), len(process.children())

    def close(self):
        for _ in range(2):
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._said.close()


async def bot(port, name, *, leaves=False):
    """Play a match with legal moves, or hang up at the first request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(json.dumps({"type": "join", "name": name}).encode() + b"\n")
        while line := await reader.readline():
            told = json.loads(line)
            if told["type"] == "turn":
                if leaves:
                    return
                answer = {"type": "move", "game_id": told["game_id"], "turn": told["turn"]}
                writer.write(json.dumps({**answer, "move": [4 * len(told["moves"]), 0]}).encode() + b"\n")
    except ConnectionError:
        return
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def spectator(referee, seconds):
    """Watch for some time, leave, and come again."""
    while True:
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(seconds), connect(f"ws://{referee.page}/live", proxy=None) as socket:
                await socket.send('{"type":"hello","key":null}')
                while True:
                    await socket.recv()


async def play(referee, games):
    """Play games; return the resident KiB after each twentieth, and the state before and after."""
    await referee.until_ready()
    numbers, done, kib, step = iter(range(games // GAMES_A_MATCH)), 0, [], max(games // 20, 1)
    before = ()

    async def one_after_another():
        nonlocal done, before
        for number in numbers:
            await asyncio.gather(bot(referee.port, "ann"), bot(referee.port, "bob", leaves=number % 10 == 0))
            done += GAMES_A_MATCH
            before = before or (referee.state() if done >= WARM_UP else ())
            if done // step > len(kib):
                state = referee.state()
                kib.append(state[0])
                told = "{:,} KiB, {} descriptors, {} threads, {} children".format(*state)
                print(f"{done:>7,} games: {told}", flush=True)

    watching = [asyncio.create_task(spectator(referee, 1.0 + number)) for number in range(SPECTATORS)]
    await asyncio.gather(*(one_after_another() for _ in range(MATCHES_AT_ONCE)))
    for task in watching:
        task.cancel()
    await asyncio.wait(watching)
    await asyncio.sleep(3)
    return kib, step, before, referee.state()


def main(games):
    temporary = Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory() as folder:
        files = set(temporary.iterdir())
        referee = Referee(Path(folder))
        try:
            kib, step, before, after = asyncio.run(play(referee, games))
        finally:
            referee.close()
        left = [path.name for path in set(temporary.iterdir()) - files if f"{referee.process.pid}" in path.name]
        with (Path(folder) / "records.jsonl").open() as records:
            count = sum(1 for _ in records)
    half = kib[len(kib) // 2 :]
    slope = statistics.linear_regression([step * number for number in range(len(half))], half).slope
    print(f"{count:,} records; slope of the second half: {slope:.3f} KiB a game")
    print(f"descriptors, threads, children: {before[1:]} before, {after[1:]} after; temporary files left: {left}")
    return slope <= MAX_SLOPE_KIB and after[1] <= before[1] and after[3] == before[3] and not left


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1])))
