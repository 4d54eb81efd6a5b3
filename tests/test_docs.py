"""The documentation is true: code runs, commands print what it shows, links work, pictures can be made again."""

import doctest
import importlib
import json
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import hinterland
from hinterland.cli import run
from hinterland.errors import RecordError
from hinterland.referee import record, verification

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("clients/*.md"),
        *(page for page in DOCS.rglob("*.md") if "_build" not in page.parts),
    ]
)
SHELL = {"sed", "head", "printf"}
"""Commands besides ``hinterland`` that a page may show with their output."""
SERVERS = {"serve", "backup", "restore", "referee", "experiment"}
"""Subcommands that wait for others, need a server's folder or take long; other tests check their pages."""

FOLLOWED_APART = "add-a-game.md"
"""The page that is a package; ``test_add_a_game.py`` follows it."""
ABSENT = () if find_spec("torch") else ("hinterland.learning",)
"""Modules that cannot be imported without torch."""
SCREENSHOTS = {"notebook.png"}
"""Pictures that are screenshots, not drawings."""
NAMED = re.compile(r"# (\w+\.py)\n")
"""First line of a block that the reader saves as a file; it is saved, not run."""


def blocks(page, language):
    """Return (line number, text) of each fenced block of a language."""
    text = page.read_text()
    fenced = re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(text[: found.start(1)].count("\n") + 1, found.group(1)) for found in fenced]


def marks_of(page, needs_jit):
    """Return the pytest marks of a page, by what it needs to run."""
    lacks_torch = any(module in page.read_text() for module in ABSENT)
    skipped = lacks_torch and not os.environ.get("HINTERLAND_NO_SKIP")
    return [pytest.mark.jit] * needs_jit(page) + [pytest.mark.skip("torch is not installed")] * skipped


def pages(language, needs_jit=lambda page: False):
    """Return the pages with blocks of a language as parameters."""
    return [
        pytest.param(page, id=page.relative_to(ROOT).as_posix(), marks=marks_of(page, needs_jit))
        for page in PAGES
        if blocks(page, language) and page.name != FOLLOWED_APART
    ]


def commands(text):
    """Return (command, expected lines) of a console block."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line.rstrip())
    return found


def matches_a_large_board(page):
    """Say whether a page's commands play on boards that are too large for plain Python."""
    told = [command for _, text in blocks(page, "console") for command, _ in commands(text)]
    return any(command.startswith("hinterland match") and "--size" not in command for command in told)


def as_pattern(lines):
    """Return the pattern of an output; ``...`` stands for any text."""
    return ".*".join(re.escape(part) for part in "\n".join(lines).split("..."))


def matches(said, lines):
    """Compare an output with a page, without blank lines, line ends and notes on a busy machine."""
    lines_said = [line.rstrip() for line in said.splitlines() if line.strip()]
    told = "\n".join(line for line in lines_said if not line.startswith("  this machine stood still for"))
    return re.fullmatch(as_pattern(lines), told, re.DOTALL) is not None


def run_python(page, line, text, names):
    """Run a block of Python, a session as a doctest, otherwise as a program."""
    if ">>>" not in text:
        exec(compile("\n" * (line - 1) + text, str(page), "exec"), names)
        return
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line - 1)
    told = []
    failed = runner.run(test, out=told.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(told)


def files_of_the_reader(page):
    """Return the files that this page, or another in its folder, tells the reader to save."""
    written = (text for other in sorted(page.parent.glob("*.md")) for _, text in blocks(other, "python"))
    return {file[1]: text for text in written if (file := NAMED.match(text))}


def look_alike(picture, kept):
    """Compare two pictures: texts exactly, pixels nearly."""
    if kept.suffix == ".svg":
        return picture.read_text() == kept.read_text()
    pixels = [np.asarray(Image.open(path), dtype=np.int16) for path in (picture, kept)]
    return pixels[0].shape == pixels[1].shape and np.abs(pixels[0] - pixels[1]).mean() < 0.5


def is_for_the_shell(words):
    """Say whether a page may show a command besides ``hinterland``: one of ``SHELL``, or a saved file."""
    return words[0] in SHELL or (words[0] == "python" and Path(words[1]).exists())


def run_command(page, line, command, lines, capfd):
    """Run a command of a page, unless it is one of ``SERVERS``, and compare its output with the page."""
    words = shlex.split(command)
    if is_for_the_shell(words):
        said = subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
    elif words[:2] == ["hinterland", "referee"] or (words[0] == "hinterland" and "clients/" in command):
        return  # see test_the_referee_says_what_is_shown and tests/clients
    elif words[0] == "hinterland" and words[1] not in SERVERS:
        capfd.readouterr()
        code = run(words[1:])
        captured = capfd.readouterr()
        said = captured.out + captured.err
        complains = any(shown.startswith(("hinterland: ", "✗ ")) for shown in lines)
        assert (code != 0) == complains, f"{page.name}, line {line}: {command} exits with {code}: {said}"
    else:
        assert not lines, f"{page.name}, line {line}: the output of {command} is shown but not checked"
        return
    assert not lines or matches(said, lines), f"{page.name}, line {line}: {command} prints\n{said}"


@pytest.mark.parametrize("page", pages("(?:python|console)", matches_a_large_board))
def test_a_page_can_be_followed_from_top_to_bottom(page, tmp_path, monkeypatch, capfd):
    """Its Python runs, its commands print what it shows, and its pictures are those that it makes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    names = {"__name__": "documentation"}
    for name, text in files_of_the_reader(page).items():
        (tmp_path / name).write_text(text)
    for line, text in blocks(page, "(?:python|console)"):
        if NAMED.match(text):
            continue
        if text.startswith("$ "):
            for command, lines in commands(text):
                run_command(page, line, command, lines, capfd)
        else:
            run_python(page, line, text, names)
    for picture in tmp_path.iterdir():
        if (kept := page.parent / picture.name).suffix in (".svg", ".png") and kept.exists():
            assert look_alike(picture, kept), picture.name


@pytest.mark.jit
def test_the_referee_says_what_is_shown(tmp_path):
    """The transcript of a match equals that of two sample clients and the referee, except for port and moves."""
    shown = [command for _, text in blocks(DOCS / "referee.md", "console") for command in commands(text)]
    (command, lines), players = shown[0], [words for words, _ in shown if "hps_client.py" in words]
    clients = []
    with subprocess.Popen(
        [sys.executable, "-m", "hinterland", *shlex.split(command)[1:], "--port", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as referee:  # fmt: skip
        said = port = ""
        for line in referee.stderr:
            said += line
            if "waiting for" in line and len(clients) < 2:
                port = port or re.search(r":(\d+),", line)[1]
                words = shlex.split(players[len(clients)].replace("python", sys.executable, 1).replace("9000", port))
                clients.append(subprocess.Popen([words[0], ROOT / words[1], *words[2:]], stdout=subprocess.DEVNULL))
        said += referee.stdout.read()
    said = re.sub(r"^ *this machine stood still.*\n", "", said, flags=re.MULTILINE)  # true if the machine is busy
    assert [client.wait(20) for client in clients] == [0, 0]
    assert referee.returncode == 0
    assert matches(said.replace(f":{port},", ":9000,"), lines), said


@pytest.mark.parametrize(
    ("said", "lines", "same"),
    [
        (" a  b \n\nc\n", [" a  b", "c"], True),
        ("a\nb\n", ["a"], False),
        ("took 12 ms\n", ["took ... ms"], True),
        ("1.5\n", ["1x5"], False),
    ],
)
def test_outputs_are_compared_line_by_line(said, lines, same):
    assert matches(said, lines) is same


def slugs(page):
    """Return the anchors of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(<?([^)>\s]+)>?\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in slugs(there), f"{page.name}: {target}"


def test_every_named_test_exists():
    """Tests that the tables name exist."""
    files = [file.read_text() for file in (ROOT / "tests").rglob("test_*.py")]
    defined = {name for text in files for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)}
    named = {name for page in PAGES for name in re.findall(r"`(test_\w+)`", page.read_text())}
    assert len(named) > 30
    assert named - defined == set()


def test_records_shown_are_records():
    shown = [text for page in PAGES for _, text in blocks(page, "json") if record.FORMAT in text]
    assert shown
    for text in shown:
        kept = record.read_line(text)
        verification.verify(kept)
        assert json.loads(record.to_line(kept)) == json.loads(text), "every field is shown"
        digit = re.sub(r'"scores": \[(\d)', lambda found: f'"scores": [{(int(found[1]) + 1) % 10}', text)
        with pytest.raises(RecordError):
            verification.verify(record.read_line(digit))


def pass_over(name):
    """Raise the error of a module, unless it is one of ``ABSENT``."""
    if name not in ABSENT:
        raise  # noqa: PLE0704  (walk_packages calls this while it handles the error)


def modules():
    """Return the names of all modules of the package that can be imported here."""
    found = pkgutil.walk_packages(hinterland.__path__, "hinterland.", pass_over)
    return ["hinterland", *(one.name for one in found if one.name not in ABSENT and not one.name.endswith("__main__"))]


def order(name):
    """Sort constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("name", modules())
def test_public_names_are_sorted_and_true(name):
    module = importlib.import_module(name)
    public = list(getattr(module, "__all__", []))
    assert public == sorted(set(public), key=order)
    assert [missing for missing in public if not hasattr(module, missing)] == []


@pytest.mark.parametrize("part", ["gravity", "graph", "dots", "contract", "review", "contest", "envs", "testing"])
def test_the_reference_lists_all_public_names(part):
    page = (DOCS / "reference" / f"{part}.md").read_text()
    whole = f".. automodule:: hinterland.{part}\n" in page and f"hinterland.{part}\n   :no-members:" not in page
    named = re.findall(rf"^.. auto(?:class|function):: hinterland\.{part}\.(\S+)", page, re.MULTILINE)
    told = {name.rpartition(".")[2] for name in named}
    missing = set(importlib.import_module(f"hinterland.{part}").__all__) - told
    assert whole or missing == set()


@pytest.fixture
def script(monkeypatch):
    """Return the script that draws the pictures."""
    monkeypatch.syspath_prepend(str(DOCS))
    yield importlib.import_module("draw_pictures")
    sys.modules.pop("draw_pictures", None)


@pytest.mark.jit
def test_pictures_are_drawn_again_alike(script, tmp_path):
    script.draw(script.read_games(), tmp_path)
    drawn = sorted(path.name for path in tmp_path.iterdir())
    kept = {path.name for path in script.FOLDER.iterdir() if path.suffix in (".svg", ".png")}
    assert drawn == sorted(kept - SCREENSHOTS)
    for name in drawn:
        assert look_alike(tmp_path / name, script.FOLDER / name), name


@pytest.mark.jit
def test_the_games_in_the_pictures_are_played_again_alike(script):
    kept = script.read_games()
    exact = [name for name, game in script.PLAYED.items() if "lloyd" not in game.players]
    assert exact
    for name in exact:
        assert script.play(script.PLAYED[name]) == kept[name]


def test_pictures_are_used_and_described():
    """Each picture is on a page, with a text for readers who cannot see it."""
    used = {}
    for page in PAGES:
        for words, path in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text()):
            used[(page.parent / path).resolve()] = words
    files = (path for folder in ("pictures", "research", "tutorials") for path in (DOCS / folder).rglob("*"))
    assert {path for path in files if path.suffix in (".svg", ".png", ".gif")} == set(used)
    assert all(len(words) > 20 for words in used.values())
