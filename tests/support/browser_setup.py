"""Make sure there is a browser for the browser tests: `make test` runs this first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# the shell draws the same pages without a window around them: a fifth less work
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Return the path of a Chromium on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def main() -> int:
    """Install Chromium through apt where there is none; say what to do where that fails."""
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
