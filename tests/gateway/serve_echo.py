"""`netaclaw serve` with the runtime that answers by itself, as a process of its own: `python -m tests.gateway.serve_echo`."""

import sys

from netaclaw.commands.serve import run_serve
from netaclaw.settings import read_settings
from tests.gateway.echo_runtime import EchoRuntime

if __name__ == "__main__":
    sys.exit(run_serve(read_settings(port=0), EchoRuntime))
