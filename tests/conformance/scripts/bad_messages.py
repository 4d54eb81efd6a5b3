"""Misbehaviour in words: messages that are no messages, and moves that are no moves."""

from __future__ import annotations

from functools import partial

from conformance.scripts.hostile_player import MISBEHAVIOURS, HostilePlayer

MOVE = b'{"type":"move","game_id":"{id}","turn":{turn},"move":%b}'
MESSAGES: dict[str, tuple[bytes, bytes | None]] = {
    "byte_order_mark": (b'\xef\xbb\xbf{"type":"info","text":""}', b"\xef\xbb\xbf4 4"),
    "invalid_utf8": (b'{"type":"info","text":"\xff\xfe"}', b"\xff\xfe 4"),
    "nul": (b'{"type":"info","text":"\0"}', b"4 \0 4"),
    "terminal_codes": (b'{"type":"info","text":"\x1b[2J"}', b"\x1b[2J 4 4"),
    "half_a_character": (b'{"type":"info","text":"\\ud800"}', b"\xed\xa0\x80 4"),
    "deep_json": (b"[" * 4000, None),
    "huge_number": (MOVE % (b"[%b,4]" % (b"9" * 3900)), None),
    "not_a_number": (MOVE % b"[NaN,4]", None),
    "infinite": (MOVE % b"[1e400,4]", None),
    "a_key_twice": (b'{"type":"info","text":"a","text":"b"}', None),
    "no_message": (b'{"type":"surrender"}', None),
    "bool_for_a_number": (MOVE % b"[true,4]", b"true 4"),
    "fraction": (MOVE % b"[4.5,4]", b"4.5 4"),
    "text_for_a_number": (MOVE % b'["4",4]', b"four 4"),
    "one_number": (MOVE % b"[4]", b"4"),
    "negative": (MOVE % b"[-1,4]", b"-1 4"),
    "off_the_board": (MOVE % b"[100000,4]", b"100000 4"),
    "taken_cell": (MOVE % b"[0,0]", b"0 0"),
    "too_near": (MOVE % b"[0,1]", b"0 1"),
}
"""What is sent when asked, in JSON and, where that makes sense, in words."""


def _send(player: HostilePlayer, in_json: bytes, in_words: bytes | None) -> None:
    """Send a line when asked. What stands for {id} and {turn} is filled in."""
    player.until_asked()
    data = in_json if player.is_json or in_words is None else in_words
    data = data.replace(b"{id}", player.speaker.game_id.encode()).replace(b"{turn}", b"%d" % player.speaker.turn)
    player.say(data + b"\n")
    player.idle()


for _name, (_in_json, _in_words) in MESSAGES.items():
    MISBEHAVIOURS[_name] = partial(_send, in_json=_in_json, in_words=_in_words)
