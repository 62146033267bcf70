"""The command `demo`: serve a data folder of its own, in which two conversations wait for the message that compacts them."""

from functools import partial

from fastapi import FastAPI

from netaclaw.commands.serve import run_serve
from netaclaw.demo.making import prepare_demo
from netaclaw.demo.words import WORDS
from netaclaw.gateway.services import Services
from netaclaw.settings import Settings

FOLDER = "demo"


def run_demo(settings: Settings, language: str) -> int:
    """Make the conversations at the first start, then serve until SIGTERM or Ctrl-C; raises what `serve` raises.

    The data lie in the folder `demo` of the data folder, whatever database is configured: real conversations are never touched.
    """
    own = settings.model_copy(update={"data_dir": settings.data_dir / FOLDER, "database_url": None})
    return run_serve(own, prepare=partial(_prepare, language=language), closing_words=WORDS[language].try_it)


async def _prepare(app: FastAPI, language: str) -> None:
    services: Services = app.state.services
    await prepare_demo(services, lambda: print(WORDS[language].making, flush=True))
