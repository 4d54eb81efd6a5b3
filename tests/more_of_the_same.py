"""Cases that show more of what one has shown already: ``make test`` tries the first, ``make test-all`` every one."""

import pytest


def first_shows(*cases):
    """Return cases for ``parametrize``; all but the first are thorough."""
    rest = (case if isinstance(case, tuple) else (case,) for case in cases[1:])
    return [cases[0], *(pytest.param(*case, marks=pytest.mark.thorough) for case in rest)]
