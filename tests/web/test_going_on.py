"""A match at a table goes on after a crash: people with their key, a bot with its token, a program started anew."""

import pytest

from sigkill_tables import rounds

pytestmark = [pytest.mark.jit, pytest.mark.once, pytest.mark.thorough]


def test_nothing_is_lost_and_nothing_is_there_twice():
    """``python tests/sigkill_tables.py 50`` does so for longer."""
    assert rounds(3, seed=2026) == (3, 1)
