"""Everything that people read in the browser, found in the sources; brings the catalogues up to date with it.

``python tests/web/translations.py`` adds what is new to each catalogue and takes out what is gone; with the code of
a language, ``python tests/web/translations.py fr``, it begins another one.
"""

import ast
import re
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_javascript, extract_python
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

import hinterland
from hinterland import catalog
from hinterland.puzzles import collection
from hinterland.web.languages.catalogue import FOLDER
from hinterland.web.pages.puzzle_pages import SEATS

ROOT = Path(hinterland.__file__).parent
PAGES = ("web/templates/**/*.html", "contest/report/templates/*.html")
SCRIPTS = ("web/static/js/**/*.js",)
CODE = ("web/**/*.py",)
REFUSALS = (
    "web/api/*.py", "web/lists/*.py", "web/live/*.py", "web/matches/*.py", "web/pages/*.py",
    "web/relays/*.py", "web/board_drawings.py", "web/gallery.py", "web/guards.py", "web/http_errors.py",
    "errors.py", "gravity/rules.py", "graph/rules.py", "dots/rules.py", "host/players/person.py", "host/preparation.py",
    "referee/judge.py", "referee/game_study.py", "referee/verification.py", "referee/record.py",
    "referee/match.py",
    "puzzles/collection.py", "contest/report/*.py", "prints/films.py", "prints/lettering.py", "drawing/film.py",
    "evidence/diagnosis.py",
)  # fmt: skip
"""Where sentences are made in English that pages show to whoever reads them."""
UNSEEN = {
    "web/pages/static_files.py", "web/lists/thumbnails.py", "web/api/health_api.py",
    "web/matches/join.py", "web/live/contest_library.py", "contest/report/contest_view.py",
    "web/relays/exchange.py", "contest/report/export_rows.py", "contest/report/report_page.py",
    "contest/report/rating_table.py",
}  # fmt: skip
"""Files there whose sentences are for programs, operators, or files."""
FACTS = (
    "Rules", "Varied", "Format", "Matches", "Openings", "Clock", "Seed", "Programs", "Memory", "Plan", "Final",
    "Semi-finals", "Quarter-finals", "Last {number}",
)  # fmt: skip
"""Single words of the reports of contests."""
UNKNOWN = "unknown {kind} {name}; known: {known}"
NOT_SAID = {"debug", "info", "warning", "error", "exception", "note", "compile", "log"}
"""Calls that say nothing to people."""
PART = re.compile(r"\{\w+\}|%\(\w+\)s|%%|</?\w+>")
PLACE = re.compile(r"\{\w+\}")
KEYWORDS = {
    "_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "t": None, "tn": (1, 2),
}  # fmt: skip


def template():
    """Return a catalogue without translations of all that there is to be said."""
    found = Catalog(project="Hinterland", fuzzy=False)
    for path, text, context in [*_of_pages(), *_of_scripts(), *_of_code(), *_of_refusals(), *_of_catalogue()]:
        found.add(text, locations=[(path, None)], context=context)
    return found


def _files(patterns):
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return [(path, path.relative_to(ROOT).as_posix()) for path in sorted(found)]


def _told(path, function, message):
    """Return what a call says: its texts, and in what context."""
    texts = [message] if isinstance(message, str) else [text for text in message if text is not None]
    if function in ("pgettext", "npgettext"):
        return path, texts[1], texts[0]
    if function in ("ngettext", "tn"):
        return path, tuple(texts[:2]), None
    return path, texts[0], None


def _of_pages():
    options = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
    for file, path in _files(PAGES):
        with file.open("rb") as source:
            for _, function, message, _ in babel_extract(source, KEYWORDS, (), options):
                if isinstance(message, str) or (message and message[0]):
                    yield _told(path, function, message)


def _of_scripts():
    for file, path in _files(SCRIPTS):
        with file.open("rb") as source:
            for _, function, message, _ in extract_javascript(source, KEYWORDS, (), {"parse_template_string": True}):
                if message != "":
                    yield _told(path, function, message)


def _of_code():
    for file, path in _files(CODE):
        with file.open("rb") as source:
            for _, function, message, _ in extract_python(source, KEYWORDS, (), {}):
                if isinstance(message, str) or (message and all(message[:2])):
                    yield _told(path, function, message)


def _of_refusals():
    for file, path in _files(REFUSALS):
        if path not in UNSEEN:
            for text in sentences(file.read_text()):
                yield path, text, None


def sentences(source):
    """Return all sentences that a module makes; a value in one stands in braces under its name."""
    found = []
    waiting = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.JoinedStr() | ast.Constant(value=str()):
                text = _text(node)
                found += [text] if is_sentence(text) else []
                continue
            case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.FunctionDef(name="__str__" | "summary"):
                continue
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in NOT_SAID | set(KEYWORDS):
                continue
        waiting += ast.iter_child_nodes(node)
    return found


def is_sentence(text):
    """Say whether a text is for people: of several words, and neither JSON nor a header."""
    words = re.findall(r"[a-z]{2,}", PLACE.sub("", text))
    return len(words) > 1 and " " in text.strip() and not re.search(r'\{"|="|-src |^[ ;]|[ ]$', text)


def _text(node):
    if isinstance(node, ast.Constant):
        return node.value
    parts, names = [], []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(part.value)
            continue
        bare = re.sub(r"\[.*|\bif\b.*|\bor\b.*|'[^']*'", "", ast.unparse(part.value))
        words = re.findall(r"[A-Za-z_]\w*", bare) or ["value"]
        name = words[-1].strip("_") if words[-1] not in ("join", "len") else words[-2 if len(words) > 1 else -1]
        names.append(name)
        parts.append(f"{{{name}{names.count(name) if names.count(name) > 1 else ''}}}")
    return "".join(parts)


def _of_catalogue():
    """Yield what the package's own games say of themselves."""
    for name, path in catalog.GAMES.items():
        if not path.startswith("hinterland."):
            continue
        game = catalog.game(name)
        place = f"{path.removeprefix('hinterland.').replace('.', '/')}.py"
        told = [game.title, game.summary]
        told += [text for one in (*game.levels, *game.presets) for text in (one.title, one.summary)]
        told += [catalog.summary_of(kind) for kind in game.players.values()]
        if game.puzzles:
            told += [text for goal in game.puzzles.goals.values() for text in (goal.title, goal.task)]
            told.append(game.puzzles.unit)
        if game.atlas:
            told += [game.atlas.unit, *game.atlas.filters, *game.atlas.boards(game.atlas.sizes[0])[0].features]
        yield from ((place, text, None) for text in told if text)
    yield from (("puzzles/collection.py", text, None) for text in collection.DIFFICULTIES)
    yield from (("web/pages/puzzle_pages.py", text, None) for seat in SEATS for text in (seat, seat.lower()))
    yield from (("contest/report/plan_words.py", text, None) for text in FACTS)
    yield "web/lists/game_list_pages.py", "Contests", None
    yield "contract/text.py", ("{count} player", "{count} players"), None
    yield "evidence/diagnosis.py", ("{count} game", "{count} games"), None
    yield from (("evidence/diagnosis.py", text, None) for text in ("won", "lost", "more", "less"))
    yield "errors.py", UNKNOWN, None


def faults(kept, wanted=None):
    """Return what is wrong with a catalogue, a line each; ``wanted``: all that there is to be said."""
    known = {(message.context, message.id): message for message in kept if message.id}
    needed = {(message.context, message.id): message for message in wanted or template() if message.id}
    found = [f"{text!r} is not translated" for _, text in sorted(set(needed) - set(known), key=str)]
    found += [f"{text!r} is said nowhere" for _, text in sorted(set(known) - set(needed), key=str)]
    moved = [text for text in set(known) & set(needed) if _files_of(known[text]) != _files_of(needed[text])]
    found += [f"{text!r} is said in other files" for _, text in sorted(moved, key=str)]
    found += [f"{message.id!r} is obsolete" for message in kept.obsolete.values()]
    for message in known.values():
        texts = message.string if message.pluralizable else (message.string,)
        if message.fuzzy:
            found.append(f"{message.id!r} is fuzzy")
        if not all(texts) or (message.pluralizable and len(texts) != kept.num_plurals):
            found.append(f"{message.id!r} is not translated")
            continue
        english = message.id if message.pluralizable else (message.id,)
        allowed = [_parts(text) for text in english]
        found += [f"{text!r} has other places than {english[-1]!r}" for text in texts if _parts(text) not in allowed]
    return found


def _files_of(message):
    """Return where a text is said: of a script, only what its page can say comes with it."""
    return {path for path, _ in message.locations}


def _parts(text):
    """Return what a translation must hold as the English does: places for values, and elements."""
    return sorted(set(PART.findall(text)))


def renew(code):
    """Bring a catalogue up to date, or begin it; return how many texts wait for a translation."""
    path = FOLDER / f"{code}.po"
    wanted = template()
    if path.exists():
        with path.open("rb") as file:
            kept = read_po(file, locale=code)
        begun = kept.creation_date
        kept.update(wanted, no_fuzzy_matching=True)
        kept.obsolete.clear()
        kept.creation_date = begun  # or the file would differ each time
    else:
        kept = Catalog(locale=code, project="Hinterland", fuzzy=False)
        for message in wanted:
            if message.id:
                kept.add(message.id, locations=message.locations, context=message.context)
    for message in kept:
        message.locations = sorted(set(message.locations))
    with path.open("wb") as file:
        write_po(file, kept, width=120, include_lineno=False, sort_by_file=True)
    return sum(not all(message.string if message.pluralizable else [message.string]) for message in kept if message.id)


if __name__ == "__main__":
    for wished in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.po")):
        print(f"{FOLDER / wished}.po: {renew(wished)} texts wait for a translation")
