"""A real nginx for tests, started from the system's program, not as a service."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PATIENCE_S = 20.0
CONFIGURATION = """
daemon off; master_process off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr error;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    {servers}
}}
"""


def program_of(name: str) -> str:
    """Return the path of a program; if it is missing, skip the test, or fail if nothing may be skipped."""
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return program


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until a process listens on a port of this machine."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nobody listens on port {port}"
            time.sleep(0.05)


@contextlib.contextmanager
def started(folder: Path, port: int, servers: str) -> Iterator[None]:
    """Run nginx with ``servers``, one of which listens on ``port``, during the context."""
    program, file = program_of("nginx"), folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, servers=servers))
    with subprocess.Popen([program, "-c", str(file), "-p", str(folder)], stderr=subprocess.PIPE) as process:
        try:
            wait_for(port)
            yield
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)
