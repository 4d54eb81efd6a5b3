"""A language that nobody speaks: every letter of English with an accent, every text 40 % longer (pseudo-localisation).

What is still without accents on a page was never looked up in a catalogue; what does not fit, not in some other.
``python tests/browser/pseudo.py FOLDER …`` serves an arena that speaks it and keeps it in a folder.
"""

import re
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

sys.path.insert(0, str(Path(__file__).parents[1] / "web"))

from translations import template

from hinterland import cli
from hinterland.web.languages import catalogue

CODE = "eo"
"""Esperanto stands in for it: browsers and plural rules want a language that there is."""
ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒǧĥíĵķĺɱñóþʠŕšŧúṽŵẋýžÁƁÇĐÉƑǦĤÍĴĶĹḾÑÓÞɊŔŠŦÚṼŴẊÝŽ"
)
KEPT = re.compile(r"(\{\w+\}|%\(\w+\)s|%%|<[^>]+>|&#?\w+;)")
"""What a translation takes over as it is."""
LONGER = 1.4


def pseudo(text):
    """Return a text in that language."""
    parts = enumerate(KEPT.split(text))
    return "".join(part if k % 2 else re.sub(r"[A-Za-z]+", _longer, part).translate(ACCENTED) for k, part in parts)


def _longer(word):
    """Return a word, its last letters twice, until it is as long as words of other languages."""
    letters = word[0]
    more = round((LONGER - 1) * len(word[0])) or 1
    return letters[:-more] + "".join(2 * letter for letter in letters[-more:])


def write(folder):
    """Write the catalogue."""
    spoken = Catalog(locale=CODE, fuzzy=False)
    for message in template():
        if message.id:
            texts = message.id if message.pluralizable else (message.id,)
            forms = tuple(map(pseudo, texts))
            said = forms if message.pluralizable else forms[0]
            spoken.add(message.id, said, message.locations, context=message.context)
    with (Path(folder) / f"{CODE}.po").open("wb") as file:
        write_po(file, spoken)


if __name__ == "__main__":
    write(sys.argv[1])
    catalogue.FOLDER = Path(sys.argv[1])
    cli.main(sys.argv[2:])
