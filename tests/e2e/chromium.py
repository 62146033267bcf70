"""The browser of these tests: Debian's Chromium, or another Chromium that the machine has."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VARIABLE = "NETACLAW_TEST_BROWSER"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
REMEDY = f"install Debian's package chromium, or name a Chromium in {VARIABLE}"


def find_chromium() -> str | None:
    """Return the path of a Chromium, None where there is none."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    return next((path for name in NAMES if (path := shutil.which(name))), None)
