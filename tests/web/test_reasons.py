"""How a game ended, in the words that stand beside its board."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import hinterland

MODULE = Path(hinterland.__file__).parent / "web/static/js/game/game-status.js"
SCRIPT = """
globalThis.document = { documentElement: { lang: "en" }, getElementById: () => null };
const { statusText } = await import(process.argv[1]);
const [reason, detail] = process.argv.slice(2);
const left = { seat: 0, reason, detail };
const outcome = { scores: [0, 10], winners: [1], reason, detail };
const seats = [{ name: "anna", mine: false }, { name: "ben", mine: false }];
console.log(JSON.stringify(statusText({ outcome, seats, withdrawn: [left], to_move: null }, 100, "")));
"""


@pytest.mark.parametrize(
    ("reason", "detail", "words"),
    [
        ("illegal", "38,31 is too close to stone 4: 5.8 away, 6 needed",
         "ben wins. anna illegal move: 38,31 is too close to stone 4: 5.8 away, 6 needed."),
        ("crash", "the program ended: exit status 1; its last words: 'ValueError: no cheese'",
         "ben wins. anna crashed: the program ended: exit status 1; its last words: 'ValueError: no cheese'."),
        ("protocol", "not JSON: Expecting value at character 1",
         "ben wins. anna broke the protocol: not JSON: Expecting value at character 1."),
        ("time", "seat 0 ran out of time, 8.000 s into its move", "ben wins. anna out of time."),
        ("time", "seat 0 ran out of time, 8.000 s into its move; does it flush its output?",
         "ben wins. anna out of time: does it flush its output?"),
        ("resigned", "seat 0 resigned", "ben wins. anna resigned."),
    ],
)  # fmt: skip
def test_the_rule_that_was_broken_stands_beside_the_board(reason, detail, words):
    node = shutil.which("node") or pytest.skip("node is missing")
    call = [node, "--input-type=module", "-e", SCRIPT, MODULE.as_uri(), reason, detail]
    told = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == words
