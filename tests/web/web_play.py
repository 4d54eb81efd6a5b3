"""What the tests of the arena play with: wishes, a browser's connection, and a real server in a process of its own."""

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec

from hinterland.web.openness import Openness
from hinterland.web.settings import Limits, RelaySettings, Settings, Show

BASE = "http://127.0.0.1:8000"
RULES = {"size": 24, "stones": 2, "spacing": 3}
PERSON = {"kind": "person", "name": "Ann"}
REPLY = {"kind": "program", "player": "reply"}
SHOW = Show(move_s=0.02, rest_s=0.05, game="gravity", rules=RULES)
AT_ONCE = {"answer_s": 0}
"""Programs answer people without a pause."""
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def wish(seats=(PERSON, REPLY), rules=RULES, **others):
    """Return the body that asks for a game."""
    return {"game": "gravity", "rules": dict(rules), "seats": list(seats), **others}


def start(client, *seats, **others):
    """Begin a game and return its id and key."""
    answer = client.post("/api/games", json=wish(seats or (PERSON, REPLY), **others))
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["key"]


LONGEST_S = 20


class Viewer:
    """A browser's connection, in this process."""

    def __init__(self, socket, key):
        self.socket = socket
        self.seen = None
        """The snapshot that was wanted last."""
        self.send(type="hello", key=key)

    def send(self, **message):
        self.socket.send_text(json.dumps(message))

    def hear(self):
        """Return the next message that is no ping."""
        message = self.socket.receive_json(timeout=LONGEST_S)
        return self.hear() if message["type"] == "ping" else message

    def see(self, wanted=lambda _: True):
        """Return the first snapshot that is as wanted; pings alone for long mean that there will be none."""
        until = time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            message = self.socket.receive_json(timeout=LONGEST_S)
            if message["type"] == "ping":
                continue
            assert message["type"] == "snapshot", message
            if wanted(message):
                self.seen = message
                return message
        raise AssertionError("the snapshot that was waited for did not come")

    def see_the_end(self):
        """Return a snapshot of the end: the last one seen, if a busy arena showed it with the last move."""
        return self.seen if self.seen and over(self.seen) else self.see(over)

    def complaint(self):
        """Return the next error, whatever is seen meanwhile."""
        while (message := self.hear())["type"] != "error":
            pass
        return message["message"]

    def move(self, *numbers, ply):
        self.send(type="move", ply=ply, move=list(numbers))


@contextlib.contextmanager
def watching(client, game_id, key=None, path=None, headers=None):
    """Open a live connection."""
    with client.websocket_connect(path or f"/games/{game_id}/live", headers=headers) as socket:
        yield Viewer(socket, key)


def plies(count):
    """Want a snapshot after so many moves."""
    return lambda snapshot: len(snapshot["moves"]) == count


def mine(snapshot):
    """Want a snapshot in which the viewer may move."""
    return snapshot["can_move"]


def over(snapshot):
    """Want a snapshot of the end."""
    return snapshot["outcome"] is not None


class Process:
    """A server in a process of its own."""

    def __init__(self, run, settings):
        """``run``: where the function is that runs it, MODULE:NAME."""
        module, name = run.split(":")
        call = (
            f"import sys, msgspec; from {module} import {name} as run; from hinterland.web import settings;"
            f"kind = settings.{type(settings).__name__};"
            "run(msgspec.json.decode(sys.argv[1], type=kind, dec_hook=lambda kind, text: kind(text)), "
            "lambda text: print(text, flush=True))"
        )
        text = msgspec.json.encode(settings, enc_hook=str).decode()
        self.compiles = False
        self.process = subprocess.Popen(
            [sys.executable, "-c", call, text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def ready(self):
        """Wait for the line that says where it is, and until it has compiled all."""
        self.listening()
        while self.compiles and httpx.get(f"{self.url}/readyz").is_error:
            time.sleep(0.2)
        return self

    def listening(self):
        """Wait for the line that says where it is."""
        for line in self.process.stdout:
            if line.startswith("Metrics are at "):
                self.metrics_url = line.split()[-1]
            self.compiles |= line.startswith("Compiling ")
            if " is ready at " in line:
                self.url = line.split()[-1]
                self.port = urlsplit(self.url).port
                return self
        raise AssertionError(self.process.stderr.read())

    def stop(self, how=signal.SIGTERM):
        """Stop it; return the exit status, the seconds it took and what it complained of."""
        began = time.monotonic()
        self.process.send_signal(how)
        _, complaints = self.process.communicate(timeout=20)
        return self.process.returncode, time.monotonic() - began, complaints

    def open_files(self):
        """Count what it holds open, connections included; the few to the index come when threads have questions."""
        held = of_index = 0
        for entry in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                if "index.sqlite" in str(entry.readlink()):
                    of_index += 1
                else:
                    held += 1
        assert of_index <= 3 * 4, "each of four connections holds the file, its log, and what they share"
        return held

    def memory_kib(self):
        """Return the resident memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def close(self):
        """End it whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        if not self.process.stdout.closed:
            self.process.communicate(timeout=20)


class Server(Process):
    """An arena in a process of its own."""

    def __init__(
        self, data, port=0, programs=None, metrics_port=None, log=None, openness=None, redis=None,
        run="hinterland.web.run_arena:run_arena", **limits,
    ):  # fmt: skip
        self.data = data
        told = Settings(
            data=data, port=port, show=SHOW, limits=Limits(**(AT_ONCE | limits)), programs=programs or {},
            metrics_port=metrics_port, log=log, openness=Openness(**(openness or {})), redis=redis,
        )
        super().__init__(run, told)

    def start(self, *seats, **others):
        answer = httpx.post(f"{self.url}/api/games", json=wish(seats or (PERSON, REPLY), **others))
        assert answer.status_code == 201, answer.text
        return answer.json()["id"], answer.json()["key"]

    def address(self, game_id):
        return f"ws://127.0.0.1:{self.port}/games/{game_id}/live"

    def open_files_at_rest(self):
        """Count what it holds open once all that it has begun by itself is there: this draws a picture."""
        with httpx.Client(base_url=self.url, timeout=60) as client:
            game = client.post("/api/games", json=wish((PERSON, REPLY))).json()["id"]
            assert client.get(f"/games/{game}.png").status_code == 200
        time.sleep(0.2)
        return self.open_files()


class Relay(Process):
    """A relay in a process of its own."""

    def __init__(self, url, openness=None, **limits):
        told = RelaySettings(redis=url, port=0, limits=Limits(**limits), openness=Openness(**(openness or {})))
        super().__init__("hinterland.web.run_relay:run_relay", told)

    def address(self, game_id):
        return f"ws://127.0.0.1:{self.port}/watch/games/{game_id}/live"
