"""File systems without locks or without syncs of folders, such as NFS, SMB and FUSE: all works, with a warning."""

import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and cc")
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
static int told(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }
int flock(int file, int how) {
    if (told("FLOCK")) { errno = told("FLOCK"); return -1; }
    return ((int (*)(int, int)) dlsym(RTLD_NEXT, "flock"))(file, how);
}
int fsync(int file) {
    struct stat found;
    if (told("SYNC") && !fstat(file, &found) && S_ISDIR(found.st_mode)) { errno = told("SYNC"); return -1; }
    return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(file);
}
"""
COMMANDS = """
import sys
from hinterland.cli import run
from hinterland.storage.archive import Archive
from pathlib import Path
folder = Path(sys.argv[1])
dots = ["dots", "random", "closer", "--board", "circle", "--dots", "4"]
for words in (
    ["match", *dots, "--record", f"{folder}/r.jsonl", "--quiet"],
    ["match", *dots, "--record", f"{folder}/r.jsonl", "--quiet"],
    ["contest", "new", f"{folder}/deep/contest", *dots],
    ["contest", "run", f"{folder}/deep/contest", "--jobs", "1"],
    ["export", f"{folder}/r.jsonl", f"{folder}/r.csv"],
    ["export", f"{folder}/r.jsonl", f"{folder}/r.parquet"],
):
    code = run(words)
    print(code, words, file=sys.stderr)
    assert code == 0, words
Archive(folder / "arena").close()
assert run(["backup", f"{folder}/arena", f"{folder}/backup.tgz"]) == 0
print("all done", len((folder / "r.jsonl").read_text().splitlines()))
"""
ENOLCK, EOPNOTSUPP, ENOSYS, EBADF, EINVAL, EIO = 37, 95, 38, 9, 22, 5
WORD = "has no locks of files"


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """Return a function that runs Python on a file system whose calls give certain errors."""
    made = tmp_path_factory.mktemp("disk")
    (made / "disk.c").write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", made / "disk.so", made / "disk.c", "-ldl"], check=True)

    def call(*words, **errors):
        told = {name: str(number) for name, number in errors.items()}
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(made), "NUMBA_DISABLE_JIT": "1", **told}
        environment |= {"LD_PRELOAD": str(made / "disk.so")} if errors else {}
        argv = [sys.executable, *map(str, words)]
        return subprocess.run(argv, env=environment, capture_output=True, text=True, check=False, timeout=120)

    return call


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("errors", "has_word"),
    [
        ({}, False),
        *(({"FLOCK": number}, True) for number in (ENOLCK, EOPNOTSUPP, ENOSYS, EBADF)),
        *(({"SYNC": number}, False) for number in (EINVAL, EOPNOTSUPP)),
    ],
)
def test_everything_goes_on_without_locks_and_without_syncs_of_folders(disk, tmp_path, errors, has_word):
    done = disk("-c", COMMANDS, tmp_path, **errors)
    assert done.returncode == 0, done.stderr
    assert "all done 4" in done.stdout
    assert (WORD in done.stderr) == has_word
    assert done.stderr.count(f"{tmp_path} {WORD}") == int(has_word), "once a folder"


def test_a_disk_that_fails_is_no_disk_that_cannot(disk, tmp_path):
    """A sync that fails for another reason is reported, and the new file is removed, so that it can be made again."""
    line = "from hinterland.cli import run; import sys; sys.exit(run(sys.argv[1:]))"
    (tmp_path / "arena" / "games").mkdir(parents=True)
    words = ["backup", tmp_path / "arena", tmp_path / "backup.tgz"]
    failed = disk("-c", line, *words, SYNC=EIO)
    assert failed.returncode == 2
    assert "Input/output error" in failed.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arena"]
    assert disk("-c", line, *words).returncode == 0


def test_an_arena_starts_there(disk, tmp_path):
    line = "import pathlib, sys; from hinterland.storage.archive import Archive; Archive(pathlib.Path(sys.argv[1]))"
    done = disk("-c", line, tmp_path / "arena", FLOCK=ENOLCK, SYNC=EINVAL)
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path / 'arena'} {WORD}" in done.stderr
