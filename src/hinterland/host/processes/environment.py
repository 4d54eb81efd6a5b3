"""The environment variables of a program: a short list, so that it gets none of the operator's secrets.

Admin tokens and database passwords are in the referee's environment. A list of forbidden variables would miss the next
secret, so this is a list of allowed ones. The operator names further variables in ``PASS_ENV``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from hinterland.errors import ArenaError, quote

PATH_VARIABLES = ("HOME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "USER", "XDG_CACHE_HOME")
"""Where a program finds other programs, its user's files and space of its own."""
LANGUAGE_VARIABLES = ("LANG", "LANGUAGE", "TZ")
RUNTIME_VARIABLES = (
    "CLASSPATH", "CONDA_PREFIX", "DOTNET_ROOT", "GOCACHE", "GOPATH", "GOROOT", "JAVA_HOME", "LD_LIBRARY_PATH",
    "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV",
)  # fmt: skip
"""Where the runtimes of programming languages find themselves and their libraries."""
THREAD_VARIABLES = ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Number of processors that libraries use; by default each uses all."""
KEPT_VARIABLES = frozenset((*PATH_VARIABLES, *LANGUAGE_VARIABLES, *RUNTIME_VARIABLES, *THREAD_VARIABLES))
KEPT_PREFIXES = ("LC_", "NUMBA_")
"""``LC_`` goes with LANG; Numba compiles for programs that are written with this package."""
PASS_ENV = "HINTERLAND_PASS_ENV"
"""Name of the variable that names further ones, separated by commas."""
VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def make_program_environment(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of a program outside the sandbox. Raises ArenaError if ``PASS_ENV`` is invalid."""
    kept = {name: value for name, value in own.items() if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)}
    return kept | read_passed_variables(own)


def read_passed_variables(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that the operator passes on by name. Raises ArenaError if one is not set."""
    passed = {}
    for name in filter(None, map(str.strip, own.get(PASS_ENV, "").split(","))):
        if not VARIABLE_NAME.fullmatch(name) or name not in own:
            raise ArenaError(f"{PASS_ENV} names {quote(name)}, which is not set here; set it, or leave it out")
        passed[name] = own[name]
    return passed
