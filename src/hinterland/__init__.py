"""Hinterland: an arena for games of territory.

Importing the package is cheap: each game, with its kernels, is loaded when it is first named.

>>> from hinterland import gravity
>>> position = gravity.Rules(size=100, stones=2, spacing=10).start()
>>> position.play(gravity.Stone(50, 50)).scores
(10000, 0)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from hinterland import catalog, contract, dots, envs, errors, graph, gravity

__version__ = "1.0.0"

__all__ = ["__version__", "catalog", "contract", "dots", "envs", "errors", "graph", "gravity"]


def __getattr__(name: str) -> ModuleType:
    """Load a public module on first use."""
    if name in __all__:
        return import_module(f"hinterland.{name}")
    msg = f"module 'hinterland' has no attribute {name!r}; it has {', '.join(__all__)}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
