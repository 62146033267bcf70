"""Installs what the browser tests need and only a system's package manager has: Chromium and a font with Chinese characters.

`make test` calls it. It does something only on systems with apt-get where it has the rights; its failure is said and is no error.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.chromium import REMEDY, find_chromium

_FONT = Path("/usr/share/doc/fonts-noto-cjk")


def main() -> int:
    """Install what is missing and return 0."""
    missing = [package for package, is_there in (("chromium", find_chromium()), ("fonts-noto-cjk", _FONT.exists())) if not is_there]
    if not missing:
        return 0
    prefix = _superuser()
    if prefix is None or shutil.which("apt-get") is None:
        if "chromium" in missing:
            print(f"browser: there is none, and it cannot be installed here; {REMEDY}")
        return 0
    print(f"browser: apt-get install {' '.join(missing)}", flush=True)
    if not (_apt_get(prefix, "install", *missing) or (_apt_get(prefix, "update") and _apt_get(prefix, "install", *missing))):
        print(f"browser: apt-get failed; {REMEDY}")
    return 0


def _superuser() -> list[str] | None:
    """Return what to write before a command to have the rights; None where that would ask for a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        return ["sudo", "-n"]
    return None


def _apt_get(prefix: list[str], action: str, *packages: str) -> bool:
    options = ["-qq", "-y", "--no-install-recommends"] if packages else ["-qq"]
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", action, *options, *packages]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0 and action == "install":
        print("\n".join(done.stderr.splitlines()[-3:]))
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
