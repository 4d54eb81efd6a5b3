"""Who reads what is being answered, and how numbers and days are written for them.

The language of an answer is known to all that makes it: tasks and threads take it over from what began them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babel.core import negotiate_locale
from babel.dates import format_date
from babel.numbers import format_decimal, get_decimal_symbol
from jinja2 import Environment
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType

from hinterland.web.languages.catalogue import ENGLISH, Language, languages

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

COOKIE = "hinterland-language"
LANGUAGE_PARAMETER = "language"
"""In the address of a WebSocket, the language of the page that opens it."""
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def reads_english() -> bool:
    """Say whether nothing has to be said otherwise."""
    return _current.get() == ENGLISH


def language() -> Language:
    """Return the language of who reads what is being answered; English where nobody is known."""
    return languages()[_current.get()]


def gettext(text: str) -> str:
    """Say a text in the language of the reader."""
    return language().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """Say what has a number in it in the language of the reader."""
    return language().ngettext(one, many, count)


_private: set[str] = set()
"""Folders of this server, each with the separator after it."""


def keep_private(*folders: Path | None) -> None:
    """Never tell readers where folders of this server are: what lies in them is called by its name in there."""
    for folder in filter(None, folders):
        _private.update(f"{place}{os.sep}" for place in (folder.absolute(), folder.resolve()) if place.name)


def without_folders(sentence: str) -> str:
    """Return a sentence as anybody may read it."""
    for folder in sorted(_private, key=len, reverse=True):
        sentence = sentence.replace(folder, "")
    return sentence


def translate_sentence(sentence: str) -> str:
    """Say a sentence that the house made in English in the language of the reader; no folder of the server is named."""
    sentence = without_folders(sentence)
    return sentence if reads_english() else language().translate_sentence(sentence)


def tag_for_reader(tag: str) -> str:
    """Return the entity tag of what is said in the language of the reader, from the tag of what it tells."""
    return tag if reads_english() else tag.removesuffix('"') + f'-{language().code}"'


def number(count: float) -> str:
    """Write a number as the reader does: ``1,234``."""
    return format_decimal(count, locale=language().locale)


def decimal(text: str) -> str:
    """Write a number that was written in English, such as ``53.1``, as the reader does."""
    return text.replace(".", get_decimal_symbol(language().locale))


def day(when: date) -> str:
    """Write a day as the reader does: ``3 May 2026``."""
    return format_date(when, "d MMM y", locale=language().locale)


def pick_language(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the language for a connection: what was chosen here before, else what the browser asks for.

    The WebSocket of a page speaks as the page does: browsers do not send with it all that they send with requests.
    """
    wished = connection.cookies.get(COOKIE)
    asked = _accepted_languages(connection.headers.get("accept-language", ""))
    if connection.scope["type"] == ScopeType.WEBSOCKET and (spoken := connection.query_params.get(LANGUAGE_PARAMETER)):
        wished, asked = None, [spoken]
    if wished in languages():
        return wished
    return negotiate_locale(asked, list(languages()), sep="-") or ENGLISH


def use_language(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """From here on answer in the language of who asks."""
    _current.set(pick_language(connection))


def with_language(app: ASGIApp) -> ASGIApp:
    """Let an application answer in the language of who asks."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        use_language(ASGIConnection(scope))
        await app(scope, receive, send)

    return answer


def add_translations(environment: Environment) -> None:
    """Let templates speak: ``_``, ``{% trans %}``, and filters for what is made of numbers and days."""
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    says: Mapping[str, Any] = {
        "gettext": gettext,
        "ngettext": ngettext,
        "pgettext": lambda context, text: language().pgettext(context, text),
        "npgettext": lambda context, one, many, count: language().npgettext(context, one, many, count),
    }
    environment.install_gettext_callables(**says, newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(said=translate_sentence, number=number, decimal=decimal, day=day)
    environment.globals.update(language=language, languages=languages)


def _accepted_languages(header: str) -> list[str]:
    """Return the languages of an ``Accept-Language`` header, the dearest first (RFC 9110, 12.5.4)."""
    wishes = []
    for place, part in enumerate(header.split(",")[:20]):
        name, _, weight = part.strip().partition(";")
        try:
            share = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if name and share > 0:
            wishes.append((-share, place, name.strip()))
    return [name for _, _, name in sorted(wishes)]
