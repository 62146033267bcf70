"""llama.cpp's own server with the weights in FILE, as a process of its own: `python -m tests.localmodel.serve_model FILE TOKENS`."""

import importlib
import sys
from typing import Any


def serve(weights: str, context_tokens: int) -> None:
    """Say where it listens, and serve until standard input is closed."""
    llama: Any = importlib.import_module("xllamacpp")  # untyped, and not installed by default
    server = llama.Server(_params(llama, weights, context_tokens))
    print("listens on", server.listening_address, flush=True)
    sys.stdin.read()


def _params(llama: Any, weights: str, context_tokens: int) -> Any:
    params = llama.CommonParams()
    params.model.path = weights
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context_tokens
    params.n_parallel = 1  # the window is shared out among the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # more spin against each other on a busy machine
    return params


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
