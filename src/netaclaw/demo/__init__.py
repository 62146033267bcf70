"""The demo: the server with two conversations in it that stand just under the threshold."""

from netaclaw.demo.served import run_demo

__all__ = ["run_demo"]
