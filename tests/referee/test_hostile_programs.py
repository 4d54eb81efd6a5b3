"""The sandbox against the hostile set, for root and for an ordinary user: nothing read, nothing left, nobody harmed.

Each program plays a real match against an honest one, by the command line.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

import psutil
import pytest

import hinterland
from hinterland.host.processes import process_tree
from hostile_programs import LOOKING, SET, Hostile
from lateness import measure_least
from programs import need_sandbox

pytestmark = pytest.mark.once
FEW = ("files of others", "a fork bomb", "memory of its own")
"""Stand for the set in ``make test``."""
MEMORY_MIB = 256
SLACK_MIB = 768
"""Beside its limit: the match itself and the honest player, and what goes on until the supervisor looks."""
MOST_PROCESSES = 300
"""With the match itself and the honest player."""
MOST_HONEST_MS = 500
PATIENCE_S = 60
ORDINARY = 61_000 + os.getpid() % 1000
PEER = """
import os, socket, sys
listeners = [socket.create_server(("127.0.0.1", 0))]
for name in (sys.argv[1], chr(0) + sys.argv[2]):
    listeners.append(socket.socket(socket.AF_UNIX))
    listeners[-1].bind(name)
    listeners[-1].listen()
print(listeners[0].getsockname()[1], flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True, scope="module")
def works():
    need_sandbox()


class Side:
    """The referee's side of a match: whose processes they are, and what of them can be spied on."""

    def __init__(self, folder, user):
        """Make a peer of the referee. ``user``: whose processes they are; None for whoever runs the tests."""
        self.folder, self.user = folder, user
        self.mark, secret = f"hostile-{secrets.token_hex(6)}", f"secret-{secrets.token_hex(6)}"
        self.python = interpreter(folder, user)
        self.before = [] if user is None else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        packages = (Path(hinterland.__file__).parents[1], *map(sysconfig.get_path, ("purelib", "platlib")))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "NUMBA_DISABLE_JIT": "1", "SECRET": secret,
            "PYTHONPATH": ":".join(map(str, packages)), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        (folder / "others").mkdir()
        (folder / "own").mkdir()
        (folder / "others" / "file").write_text(secret)
        place = str(folder / "others" / "socket")
        if user is not None:
            for path in (folder, folder / "others", folder / "own", folder / "others" / "file"):
                os.chown(path, user, user)
        pipe = subprocess.PIPE
        argv = [*self.before, self.python, "-c", PEER, place, self.mark]
        self.peer = subprocess.Popen(argv, env=self.environment, stdin=pipe, stdout=pipe)
        self.knows = {
            "secret": secret, "mark": self.mark, "file": str(folder / "others" / "file"), "pid": self.peer.pid,
            "port": int(self.peer.stdout.readline()), "socket": place,
        }  # fmt: skip

    def close(self):
        assert self.peer.poll() is None, "the peer was killed"
        self.peer.send_signal(signal.SIGCONT)  # who could trace it has left it stopped
        self.peer.communicate()

    def program(self, name, text):
        (self.folder / "own" / name).write_text(text)
        return f"cmd:{self.python} {name} '{json.dumps(self.knows)}'"

    def match(self, hostile, *, inside=True):
        """Play a match; return the records, and what was seen of its processes meanwhile."""
        specs = [self.program("hostile.py", hostile.text), self.program("honest.py", Hostile("pass").text)]
        record = self.folder / "records.jsonl"
        record.unlink(missing_ok=True)
        argv = [
            *self.before, self.python, "-m", "hinterland", "match", "gravity", *specs, "--size", "16", "--stones", "4",
            "--spacing", "2", "--clock", str(hostile.clock_s), "--record", str(record), "--json",
            "--memory", str(MEMORY_MIB), *(["--sandbox"] if inside else []),
        ]  # fmt: skip
        pipe = subprocess.PIPE
        with (
            subprocess.Popen(argv, cwd=self.folder / "own", env=self.environment, stdout=pipe, stderr=pipe) as match,
            Witness(match.pid) as seen,
        ):
            try:
                _, complaint = match.communicate(timeout=PATIENCE_S)
            except BaseException:
                match.kill()
                raise
        assert match.returncode == 0, complaint.decode()
        return [json.loads(line) for line in record.read_text().splitlines()], seen

    def left(self):
        """Return the processes that are left: all of an ordinary user, else those that know the folder's secrets."""
        found = []
        for process in psutil.process_iter(["pid", "uids", "cmdline"]):
            info = process.info
            is_his = info["uids"] is not None and info["uids"].real == self.user
            if (is_his or self.mark in " ".join(info["cmdline"] or ())) and info["pid"] != self.peer.pid:
                found.append((info["pid"], info["cmdline"]))
        return found

    def files(self):
        """Return the files that bear the mark, wherever a program may have tried to leave one."""
        places = ("/tmp", "/dev/shm", "/var/tmp", "/", "/usr", "/etc", "/dev", *self.folder.iterdir())
        return [path for place in places for path in Path(place).glob(f"{self.mark}*")]


class Witness:
    """Looks at a match and all its processes while it goes on: how many they are, and what memory they share out."""

    NAMES = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")

    def __init__(self, match):
        self._match = match

    def __enter__(self):
        self.most_mib = self.most_processes = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()

    def _look(self):
        while not self._is_over.wait(0.03):
            processes, found = process_tree.list_processes(), {self._match}
            for process in sorted(processes.values()):
                found |= {process.pid} if process.parent in found else set()
            self.most_processes = max(self.most_processes, len(found))
            self.most_mib = max(self.most_mib, sum(map(self._kib, found)) // 1024)

    def _kib(self, pid):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith(self.NAMES))


def interpreter(folder, user):
    """Return a Python of this version that a user may run."""
    for path in (sys.executable, "/usr/bin/python3", f"/usr/bin/python3.{sys.version_info[1]}"):
        wanted = ["-c", "import os, sys, numpy; os.stat(sys.argv[1]); print(sys.version_info[1])", path]
        before = [] if user is None else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        packages = {"PYTHONPATH": sysconfig.get_path("platlib")}
        try:
            said = subprocess.run([*before, path, *wanted], capture_output=True, check=False, env=packages, cwd="/")
        except OSError:
            continue
        if said.stdout.strip() == str(sys.version_info[1]).encode():
            return path
    pytest.skip("an ordinary user may run no Python of this version here")


@pytest.fixture(scope="module", params=["as I am", pytest.param("ordinary", marks=pytest.mark.thorough)])
def side(request):
    user = None
    if request.param == "ordinary":
        if os.geteuid() != 0:
            pytest.skip("only root can be somebody else; the tests ran as an ordinary user just now")
        if shutil.which("setpriv") is None:
            pytest.skip("setpriv is missing, with which root becomes somebody else")
        user = ORDINARY
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        side = Side(Path(folder), user)
        yield side
        side.close()


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.thorough] * (name not in FEW)) for name in SET])
def test_a_hostile_program(side, name):
    hostile = SET[name]
    records, seen = side.match(hostile)
    for number, record in enumerate(records):
        assert record["reason"] in hostile.becomes.split("|"), record["detail"]
        assert "LOOT" not in record["detail"]
        honest = 1 - record["players"].index(next(n for n in record["players"] if "hostile.py" in n))
        spent = [ms for ms, mover in zip(record["times"]["ms"], record["movers"], strict=True) if mover == honest]
        assert sum(spent) < MOST_HONEST_MS, f"the honest player thought for {spent} ms in game {number + 1}"
        assert record["winners"] == [honest] or record["reason"] == "complete"
    assert len(records) == 2
    looks = iter([seen.most_mib])
    held_mib = measure_least(lambda: next(looks, None) or side.match(hostile)[1].most_mib, MEMORY_MIB + SLACK_MIB)
    assert held_mib < MEMORY_MIB + SLACK_MIB
    assert seen.most_processes < MOST_PROCESSES
    assert side.left() == []
    assert side.files() == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name, hostile in LOOKING.items() if hostile.works_outside])
def test_outside_the_sandbox_it_finds_something(side, name):
    """The control: what the hostile set looks for is there, and would be told."""
    if side.user is not None and os.geteuid() == 0:
        return  # what root's programs find, others find as well, or it is not theirs to find
    records, _ = side.match(SET[name], inside=False)
    assert [record["reason"] for record in records] == ["crash", "crash"]
    assert all("LOOT" in record["detail"] for record in records)
    for path in side.files():
        path.unlink()
