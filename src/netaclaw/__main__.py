"""`python -m netaclaw` is the command `netaclaw`."""

import sys

from netaclaw.cli import main

if __name__ == "__main__":
    sys.exit(main())
