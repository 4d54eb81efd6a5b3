#!/bin/sh
# Sees that a Chromium is there for the browser tests: looks for one, tries to install one, or says loudly that there is none.
find_one() {
    for name in ${CHROMIUM:-} chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return 0
    done
    "${PYTHON:-python3}" - <<'PY'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as tool:
    path = pathlib.Path(tool.chromium.executable_path)
print(path)
sys.exit(not path.exists())
PY
}
find_one >/dev/null 2>&1 && exit 0
echo "No Chromium found; trying to install one for the browser tests …"
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    apt-get update -qq >/dev/null 2>&1
    for name in chromium-headless-shell chromium; do
        apt-get install -y -qq --no-install-recommends "$name" >/dev/null 2>&1 && break
    done
else
    "${PYTHON:-python3}" -m playwright install chromium >/dev/null 2>&1
fi
find_one >/dev/null 2>&1 && exit 0
echo "**********************************************************************"
echo "*  NO CHROMIUM: the browser tests will be SKIPPED.                   *"
echo "*  Install chromium, or name one: CHROMIUM=/path/to/it make test     *"
echo "**********************************************************************"
[ -z "${HINTERLAND_NO_SKIP:-}" ]
