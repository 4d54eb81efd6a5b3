"""Sentences that were made in English, far from any page, known again.

Refusals and verdicts are raised where no reader is known, and stand in records in English. At the edge a sentence is
found by the text it was made of, ``all {challenges} tables are taken``: what stands in it for a name or a number is
taken over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

PLACE = re.compile(r"\{(\w+)\}")
SEPARATOR = " · "
"""Between things that are said one by one."""
FULL_STOP = re.compile(r"\w\.$")
WORD = "word"
CACHED_SENTENCES = 1024
MAX_SENTENCE_CHARACTERS = 400
"""What is longer is nothing that the house says, and would take long to compare: time grows with the fourth power."""


class Sentences:
    """What some texts, with names of values in braces, are in another language."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """``texts``: the other language's by the English."""
        self._plain = {text: other for text, other in texts.items() if other and not PLACE.search(text)}
        made = [text for text, other in texts.items() if other and PLACE.search(text)]
        # Of two that fit, the one that says more by itself is meant.
        made.sort(key=lambda text: len(PLACE.sub("", text)), reverse=True)
        self._made = [(_pattern(text), texts[text]) for text in made]
        self.translate = lru_cache(CACHED_SENTENCES)(self._said)

    def _said(self, sentence: str) -> str:
        """Return a sentence in the other language, or as it is where it is none of these."""
        if other := self._plain.get(sentence):
            return other
        if len(sentence) > MAX_SENTENCE_CHARACTERS:
            return sentence
        if SEPARATOR in sentence:
            return SEPARATOR.join(map(self.translate, sentence.split(SEPARATOR)))
        if FULL_STOP.search(sentence) and (said := self.translate(sentence[:-1])) != sentence[:-1]:
            return f"{said}."
        for pattern, other in self._made:
            if found := pattern.fullmatch(sentence):
                values = {name: self._value(name, text) for name, text in found.groupdict().items()}
                return PLACE.sub(lambda place, values=values: values[place[1]], other)  # type: ignore[misc]
        return sentence

    def _value(self, place: str, text: str) -> str:
        """Return what stands in a sentence: a sentence itself; a single word is a name but at the place for a word."""
        return self.translate(text) if " " in text or place == WORD else text


def _pattern(text: str) -> re.Pattern[str]:
    parts = (f"(?P<{part}>.+?)" if k % 2 else re.escape(part) for k, part in enumerate(PLACE.split(text)))
    return re.compile("".join(parts), re.DOTALL)
