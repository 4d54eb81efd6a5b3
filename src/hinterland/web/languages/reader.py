"""The reader's language, and the format of numbers and dates for that reader.

The language is a context variable: tasks and threads inherit it from the request that began them.
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
"""Query parameter that tells a WebSocket the language of its page."""
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def reads_english() -> bool:
    """Say whether no translation is needed."""
    return _current.get() == ENGLISH


def language() -> Language:
    """Return the language of the current reader; English if unknown."""
    return languages()[_current.get()]


def gettext(text: str) -> str:
    """Translate a text for the reader."""
    return language().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """Translate a text with a number in it for the reader."""
    return language().ngettext(one, many, count)


_private: set[str] = set()
"""Paths of folders that messages must not show, each with a trailing separator."""


def keep_private(*folders: Path | None) -> None:
    """Hide folders of this server: messages then show only the names of files in them."""
    for folder in filter(None, folders):
        _private.update(f"{place}{os.sep}" for place in (folder.absolute(), folder.resolve()) if place.name)


def without_folders(sentence: str) -> str:
    """Return a sentence without the paths of private folders."""
    for folder in sorted(_private, key=len, reverse=True):
        sentence = sentence.replace(folder, "")
    return sentence


def translate_sentence(sentence: str) -> str:
    """Translate a sentence of this program for the reader, without the paths of private folders."""
    sentence = without_folders(sentence)
    return sentence if reads_english() else language().translate_sentence(sentence)


def tag_for_reader(tag: str) -> str:
    """Return the entity tag of an answer in the reader's language.

    ``tag``: the tag of the content before translation.
    """
    return tag if reads_english() else tag.removesuffix('"') + f'-{language().code}"'


def number(count: float) -> str:
    """Format a number for the reader: ``1,234``."""
    return format_decimal(count, locale=language().locale)


def decimal(text: str) -> str:
    """Format a decimal number, such as ``53.1``, for the reader."""
    return text.replace(".", get_decimal_symbol(language().locale))


def day(when: date) -> str:
    """Format a date for the reader: ``3 May 2026``."""
    return format_date(when, "d MMM y", locale=language().locale)


def pick_language(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the language of a connection: the reader's stored choice, else the one that the browser asks for.

    A WebSocket has its language in its address, since browsers do not send all headers with a WebSocket.
    """
    wished = connection.cookies.get(COOKIE)
    asked = _accepted_languages(connection.headers.get("accept-language", ""))
    if connection.scope["type"] == ScopeType.WEBSOCKET and (spoken := connection.query_params.get(LANGUAGE_PARAMETER)):
        wished, asked = None, [spoken]
    if wished in languages():
        return wished
    return negotiate_locale(asked, list(languages()), sep="-") or ENGLISH


def use_language(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Set the reader's language to the one that a connection asks for."""
    _current.set(pick_language(connection))


def with_language(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that it answers in the client's language."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        use_language(ASGIConnection(scope))
        await app(scope, receive, send)

    return answer


def add_translations(environment: Environment) -> None:
    """Add ``_``, ``{% trans %}`` and the filters for numbers and dates to templates."""
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
    """Return the languages of an ``Accept-Language`` header, the preferred first (RFC 9110, 12.5.4)."""
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
