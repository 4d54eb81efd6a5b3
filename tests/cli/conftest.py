"""What tests of commands share."""

import pytest

from hinterland.cli import run


@pytest.fixture
def hinterland(capsys):
    """Return a function that runs a command, checks its exit status, and returns what it printed."""

    def call(*arguments, code=0):
        assert run([str(argument) for argument in arguments]) == code
        return capsys.readouterr()

    return call
