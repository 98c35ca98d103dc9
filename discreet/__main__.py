"""`python -m discreet VERB ...` is the command `discreet VERB ...`."""

import sys

from discreet.command import main

if __name__ == "__main__":
    sys.exit(main())
