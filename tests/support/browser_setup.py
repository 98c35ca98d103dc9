"""Browser setup: find or install a browser for the browser tests; `make test` runs this first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# the headless shell draws without windows: a fifth less work
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Return the path of a Chromium on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def main() -> int:
    """Install Chromium through apt if it is missing; explain what to do if that fails."""
    if find():
        return 0
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get"):
        packages = (["install", "-y", "-qq", name] for name in NAMES[:2])
        for command in (["update", "-qq"], *packages):
            subprocess.run([*prefix, "apt-get", *command], check=False, stdout=subprocess.DEVNULL)
            if find():
                break
    if find():
        return 0
    print("The browser tests need Chromium. Install it (for example: apt-get install chromium).")
    return 1


if __name__ == "__main__":
    sys.exit(main())
