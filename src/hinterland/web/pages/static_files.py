"""The files of the pages: read and compressed once, and kept in memory.

Pages name a file by an address that changes with the content of the files, ``/static/VERSION/…``, so browsers can cache
the file for ever. Without a version, a browser asks each time, and gets 304 if the file has not changed. The style
sheets of a page come as one file, such as ``css/base+board.css``. The head of a page names all modules that its script
needs, so that a browser loads them at the same time. Scripts and style sheets are sent without comments, but with the
same line numbers.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2.utils import htmlsafe_json_dumps
from litestar import Request, Response, get
from markupsafe import Markup

from hinterland import catalog
from hinterland.contest.report import report_page
from hinterland.web.http_errors import not_here
from hinterland.web.languages.reader import language
from hinterland.web.script_sources import (
    ANY_IMPORT,
    IMPORT,
    STATIC,
    find_game_files,
    find_needed_modules,
    strip_comments,
)

FOLDERS = (STATIC, report_page.STATIC)
CACHE_FOREVER = "max-age=31536000, immutable"
REVALIDATE = "no-cache"
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class StaticFile(msgspec.Struct, frozen=True):
    """One file as it is sent."""

    content: bytes
    packed: bytes | None
    """The content as gzip; None if gzip does not make it smaller."""
    tag: str
    """Entity tag, which changes with the content."""
    media_type: str


def _file(content: bytes, media_type: str, *, packs: bool = True) -> StaticFile:
    packed = gzip.compress(content, 9, mtime=0) if packs else content
    tag = hashlib.blake2b(content, digest_size=8).hexdigest()
    return StaticFile(content, packed if len(packed) < len(content) else None, f'"{tag}"', media_type)


class StaticFiles:
    """All files of some folders, read once. Of two files with the same name, the file in the earlier folder counts.

    ``more``: further files, by name.
    """

    def __init__(self, folders: tuple[Path, ...], more: Mapping[str, Path] | None = None) -> None:
        self._files: dict[str, StaticFile] = {}
        self._known: dict[tuple[str, ...], set[str]] = {}
        """A cache of ``_needed``: by names of modules and an import pattern, the names of all modules they need."""
        found = {
            path.relative_to(folder).as_posix(): path
            for folder in reversed(folders)
            for path in sorted(folder.rglob("*"))
        }
        for name, path in {**(more or {}), **found}.items():
            if path.is_file():
                self._files[name] = _file(_content(path), _media_type(name))
        tags = "".join(f"{name}{self._files[name].tag}" for name in sorted(self._files))
        self.version = hashlib.blake2b(tags.encode(), digest_size=8).hexdigest()

    def find(self, name: str) -> StaticFile | None:
        """Return a file, or several style sheets joined in one; None if there is no such file."""
        return self._files.get(name) or self._sheets(name, packs=False)

    def styles(self, *names: str, base: str = "") -> Markup:
        """Return the link to style sheets for the head of a page. Raises KeyError for an unknown name."""
        name = f"css/{'+'.join(names)}.css"
        if name not in self._files:
            sheets = self._sheets(name, packs=True)
            if sheets is None:
                raise KeyError(name)
            self._files[name] = sheets
        return Markup('<link rel="stylesheet" href="{}">').format(self.url(name, base))

    def script(self, name: str, *others: str, later: Iterable[str] = (), base: str = "") -> Markup:
        """Return the tags for the script of a page: preload links of all modules that it needs, and translations.

        Modules load in the order of the arguments. ``later``: modules that the page may load later.
        """
        modules = [f"js/{one}" for one in (name, *others)]
        needed = dict.fromkeys(one for module in modules for one in sorted(self._needed([module])))
        links = [Markup('<link rel="modulepreload" href="{}">').format(self.url(one, base)) for one in needed]
        page = Markup('<script type="module" src="{}"></script>').format(self.url(f"js/{name}", base))
        return Markup("\n  ").join([*links, self._messages([*modules, *(f"js/{one}" for one in later)]), page])

    def _messages(self, modules: Iterable[str]) -> Markup:
        """Return the translations for modules and for all modules that they can load; "" in English.

        Translations are small and part of the page: a script that had to fetch them could show no text until then.
        """
        messages = language().script_messages(self._needed(modules, ANY_IMPORT))
        if messages is None:
            return Markup("")
        data = htmlsafe_json_dumps(messages, ensure_ascii=False)
        return Markup('<script type="application/json" id="messages">{}</script>').format(data)

    def game_sheets(self, game: object = None) -> list[str]:
        """Return the names of the style sheets of ``game`` or, if ``game`` is no game's name, of all games."""
        games = [game] if game in tuple(catalog.GAMES) else catalog.GAMES
        return [str(one) for one in games if f"css/{one}.css" in self._files]

    def game_modules(self, *kinds: str) -> list[str]:
        """Return the modules of these kinds in all games; ``graph-view.js`` is of the kind ``view``."""
        names = (f"{game}/{game}-{kind}.js" for game in catalog.GAMES for kind in kinds)
        return [name for name in names if f"js/{name}" in self._files]

    def url(self, name: str, base: str = "") -> str:
        """Return the address of a file with its version; ``base``: the path of the server."""
        return f"{base}/static/{self.version}/{name}"

    def _sheets(self, name: str, *, packs: bool) -> StaticFile | None:
        """Return style sheets joined in the order of ``name``. ``packs``: whether to compress them."""
        names = name.removeprefix("css/").removesuffix(".css").split("+")
        sheets = [self._files.get(f"css/{one}.css") for one in names]
        if len(names) < 2 or len(set(names)) < len(names) or None in sheets:
            return None
        return _file(b"\n".join(sheet.content for sheet in sheets if sheet), "text/css", packs=packs)

    def _needed(self, names: Iterable[str], imports: re.Pattern[str] = IMPORT) -> set[str]:
        """Return the names of modules and of all modules that they load. The result is cached."""
        asked = (*names, imports.pattern)
        if asked not in self._known:
            self._known[asked] = find_needed_modules(
                asked[:-1], lambda name: self._files[name].content.decode(), imports
            )
        return self._known[asked]


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return strip_comments(content) if path.suffix in (".js", ".css") else content


def _media_type(name: str) -> str:
    if name.endswith(".js"):
        return "text/javascript"  # some systems' ``mimetypes`` say otherwise, and browsers refuse such a module
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


@cache
def static_files() -> StaticFiles:
    """Return the files of the pages; the first call reads them."""
    return StaticFiles(FOLDERS, find_game_files())


@get("/static/{path:path}")
async def static_file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return a file of the pages."""
    files = static_files()
    path = str(request.path_params["path"]).lstrip("/")
    version, _, name = path.partition("/")
    is_versioned = bool(re.fullmatch("[0-9a-f]{16}", version))
    file = files.find(name if is_versioned else path)
    if file is None:
        raise not_here("page not found")
    keeps = CACHE_FOREVER if version == files.version else REVALIDATE
    headers = {"ETag": file.tag, "Cache-Control": keeps, "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    if file.packed is None or not ACCEPTS_GZIP.search(request.headers.get("accept-encoding", "")):
        return Response(file.content, headers=headers, media_type=file.media_type)
    return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media_type)
