"""Marks further cases of one kind as thorough: ``make test`` runs only the first, ``make test-all`` every one."""

import pytest


def first_shows(*cases, shown=1):
    """Return cases for ``parametrize``; all but the first ``shown`` are marked thorough."""
    rest = (case if isinstance(case, tuple) else (case,) for case in cases[shown:])
    return [*cases[:shown], *(pytest.param(*case, marks=pytest.mark.thorough) for case in rest)]
