"""Translates sentences after they were made in English.

The code that words refusals and verdicts does not know who will read them, and records hold them in English. A sentence
is matched against the texts with placeholders, such as ``all {challenges} places are taken``; names and numbers are
kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

PLACE = re.compile(r"\{(\w+)\}")
SEPARATOR = " · "
"""Separator between facts in one line, each of which is translated separately."""
FULL_STOP = re.compile(r"\w\.$")
WORD = "word"
CACHED_SENTENCES = 1024
MAX_SENTENCE_CHARACTERS = 400
"""Longest sentence to translate.

Our sentences are shorter; the time of matching grows with the fourth power of the length.
"""


class Sentences:
    """Translations of texts with placeholders in braces."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """``texts``: translations by English text."""
        self._plain = {text: other for text, other in texts.items() if other and not PLACE.search(text)}
        made = [text for text, other in texts.items() if other and PLACE.search(text)]
        # If two texts match a sentence, the one with more fixed characters is used.
        made.sort(key=lambda text: len(PLACE.sub("", text)), reverse=True)
        self._made = [(_pattern(text), texts[text]) for text in made]
        self.translate = lru_cache(CACHED_SENTENCES)(self._said)

    def _said(self, sentence: str) -> str:
        """Translate a sentence, or return it unchanged if it matches no text."""
        if other := self._plain.get(sentence):
            return other
        if len(sentence) > MAX_SENTENCE_CHARACTERS:
            return sentence
        if SEPARATOR in sentence:
            return SEPARATOR.join(map(self.translate, sentence.split(SEPARATOR)))
        if FULL_STOP.search(sentence) and (translated := self.translate(sentence[:-1])) != sentence[:-1]:
            return f"{translated}."
        for pattern, other in self._made:
            if found := pattern.fullmatch(sentence):
                values = {name: self._value(name, text) for name, text in found.groupdict().items()}
                return PLACE.sub(lambda place, values=values: values[place[1]], other)  # type: ignore[misc]
        return sentence

    def _value(self, place: str, text: str) -> str:
        """Translate a value in a sentence if it is a sentence itself, or stands for the placeholder ``{word}``."""
        return self.translate(text) if " " in text or place == WORD else text


def _pattern(text: str) -> re.Pattern[str]:
    parts = (f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in enumerate(PLACE.split(text)))
    return re.compile("".join(parts), re.DOTALL)
