"""The languages: English, which needs no catalogue, and one for each file in ``catalogues``.

A catalogue is read once, from the ``.po`` file that translators edit; there is no build step. A game may bring its own
catalogue, ``page/CODE.po``. A text that no catalogue has stays English.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Collection, Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from hinterland import catalog
from hinterland.web.languages.sentences import Sentences

FOLDER = Path(__file__).parent / "catalogues"
ENGLISH = "en"
SENTENCE_FILES = (".py", "-rules.js")
"""Endings of files whose sentences are translated when they are shown: refusals, verdicts and rules."""
PLURAL_NUMBERS = 200
"""Numbers tried, from 0, to find a language's plural forms; a form depends at most on a number's last two digits."""


class Language:
    """One language: its translations of English texts."""

    def __init__(self, code: str, catalogue: Catalog | None = None) -> None:
        self.code = code
        self.locale = Locale.parse("en_GB" if catalogue is None else code)
        self.tag = str(self.locale).replace("_", "-")
        """Language tag for pages."""
        self.name = str(Locale.parse(code).get_display_name()).capitalize()
        """Name in the language itself."""
        self._messages: list[Message] = [message for message in catalogue or () if message.id]
        self._texts: Any = gettext.NullTranslations() if catalogue is None else _translations(catalogue)

    def gettext(self, text: str) -> str:
        """Translate a text."""
        return str(self._texts.gettext(text)) if text else ""

    def ngettext(self, one: str, many: str, count: int) -> str:
        """Translate a text with a number in it."""
        return str(self._texts.ngettext(one, many, count))

    def pgettext(self, context: str, text: str) -> str:
        """Translate a text whose meaning depends on a context."""
        return str(self._texts.pgettext(context, text))

    def npgettext(self, context: str, one: str, many: str, count: int) -> str:
        """Translate a text with a number whose meaning depends on a context."""
        return str(self._texts.npgettext(context, one, many, count))

    def translate_sentence(self, sentence: str) -> str:
        """Translate a sentence that this program made from a known text and values.

        Return any other sentence unchanged.
        """
        return self._sentences.translate(sentence)

    def script_messages(self, modules: Collection[str]) -> dict[str, Any] | None:
        """Return all translations that the page modules ``modules`` use, for ``base/words.js``; None in English."""
        if self.code == ENGLISH:
            return None
        files = {f"web/static/{name}" for name in modules}
        messages = [message for message in self._messages if any(file in files for file, _ in message.locations)]
        texts = {_key(message): message.string for message in messages if message.string and not message.fuzzy}
        return {"texts": texts, "plurals": self._plurals}

    @cached_property
    def _plurals(self) -> dict[str, int]:
        """For each plural category of browsers, such as ``one``: the index of the plural form in gettext files."""
        return {self.locale.plural_form(count): self._texts.plural(count) for count in range(PLURAL_NUMBERS)}

    @cached_property
    def _sentences(self) -> Sentences:
        messages = [one for one in self._messages if any(file.endswith(SENTENCE_FILES) for file, _ in one.locations)]
        return Sentences(dict(pair for message in messages for pair in _pairs(message)))


def _pairs(message: Message) -> Iterable[tuple[str, str]]:
    """Yield each English text with its translation; for a message with a plural, two pairs."""
    english, other = message.id, message.string
    if isinstance(english, str) or isinstance(other, str | None):
        return [(str(english), str(other or ""))]
    return zip(english, (other[0], other[-1]), strict=True)


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _translations(catalogue: Catalog) -> gettext.GNUTranslations:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@cache
def languages() -> dict[str, Language]:
    """Return all languages by code, English first."""
    found = {ENGLISH: Language(ENGLISH)}
    for path in sorted(FOLDER.glob("*.po")):
        whole = _read(path)
        for game in catalog.GAMES:
            if (own := catalog.page_folder(game) / path.name).exists():
                scripts = [(f"web/static/js/{game}/{game}-{kind}.js", 1) for kind in ("rules", "view")]
                for message in _read(own):
                    if message.id:
                        whole.add(message.id, message.string, scripts, context=message.context)
        found[path.stem] = Language(path.stem, whole)
    return found


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)
