"""A real server in a process of its own, and a real Chromium; without one these are skipped, or fail in CI."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

# The headless shell is the same engine without the windows and menus that a test never sees.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
expect.set_options(timeout=15_000)  # on a machine with other work, nothing is lost by waiting
LOOPS = {}
"""Of the browsers that are open."""


def find_chromium(bundled):
    """Return the Chromium to drive: the one named, one on the path, or playwright's own."""
    named = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else []
    for name in (*named, *NAMES):
        if found := shutil.which(name):
            return found
    return bundled if Path(bundled).exists() else None


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as tool:
        path = find_chromium(tool.chromium.executable_path)
        if path is None:
            told = "NO CHROMIUM FOUND: browser tests not run; install chromium or set CHROMIUM=/path/to/it"
            if os.environ.get("HINTERLAND_NO_SKIP"):
                pytest.fail(told)
            pytest.skip(told)
        browser = tool.chromium.launch(executable_path=path, args=list(QUIET))
        LOOPS[browser] = asyncio.get_running_loop()
        yield browser
        asyncio._set_running_loop(LOOPS.pop(browser))
        browser.close()


@pytest.fixture(autouse=True)
def _own_loop(chromium):
    """Hide the loop in which the tool lives from the tests of other folders, which have loops of their own."""
    asyncio._set_running_loop(LOOPS[chromium])
    yield
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def arena(tmp_path_factory):
    """Start ``hinterland serve`` on a free port and return its address."""
    folder = tmp_path_factory.mktemp("arena")
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "hinterland",
            "serve",
            "--port",
            "0",
            "--data",
            str(folder),
            "--artworks",
            str(folder / "art"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    address = None
    for line in server.stdout:
        if found := re.search(r"http://\S+", line):
            address = found.group()
            break
    assert address, "the server did not say that it is ready"
    yield address
    server.terminate()
    assert server.wait(10) == 0
    server.stdout.close()


@pytest.fixture
def page(chromium, request):
    """Return a fresh page that fails its test on any error or warning in the console but those of ``forgiven``."""
    options = getattr(request, "param", {"viewport": {"width": 1440, "height": 900}})
    context = chromium.new_context(accept_downloads=True, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.forgiven = ["404 (Not Found)"]
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    yield page
    context.close()
    assert [text for text in complaints if not any(words in text for words in page.forgiven)] == []
