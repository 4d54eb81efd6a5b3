"""Lets a wheel carry compiled kernels for its platform: with HINTERLAND_KERNELS=1, without build isolation."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles all kernels for the oldest supported processors, and puts them into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile, and name the wheel after this Python and platform."""
        if os.environ.get("HINTERLAND_KERNELS") != "1":
            return
        self._cache = tempfile.TemporaryDirectory()
        surroundings = {"PYTHONPATH": str(Path(self.root, "src")), "NUMBA_CACHE_DIR": self._cache.name}
        command = [sys.executable, "-m", "hinterland", "prepare", "--generic"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **surroundings})
        (folder,) = Path(self._cache.name).glob("kernels-*")
        build_data["force_include"][str(folder)] = f"hinterland/_kernels/{folder.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
