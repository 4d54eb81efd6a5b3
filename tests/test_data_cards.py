"""Published data: every file has its card, and is the one that the card speaks of."""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PUBLISHED = ("src/hinterland/**/*.gz", "docs/levels/*/plan.toml")


def test_every_file_is_the_one_that_its_card_speaks_of():
    page = (ROOT / "docs" / "data.md").read_text()
    told = dict(re.findall(r"^\| `(\S+)` \| `(\w{64})` \|$", page, re.MULTILINE))
    files = [file for pattern in PUBLISHED for file in ROOT.glob(pattern)]
    assert told == {file.relative_to(ROOT).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
