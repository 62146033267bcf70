"""Windows and output limits of well-known models, so that a new channel need not ask for them. A channel's own figures win."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What `models.json` says of one model, in tokens."""

    name: str
    window_tokens: int
    max_output_tokens: int


def known_model(name: str) -> KnownModel | None:
    """Return what is known of a model, also under a dated or prefixed name (`anthropic/claude-opus-4-5-20251101`)."""
    wanted = name.strip().lower().rsplit("/", 1)[-1].removesuffix(":latest")
    exact = _models().get(wanted)
    if exact:
        return exact
    prefixes = [known for known in _models() if wanted.startswith(known) and _is_version(wanted[len(known) :])]
    return _models()[max(prefixes, key=len)] if prefixes else None


def known_models() -> tuple[KnownModel, ...]:
    """Return all of them, for a choice on the screen."""
    return tuple(_models().values())


def _is_version(rest: str) -> bool:
    """Whether a name continues with a date or a tag of the same model, not with the name of another one."""
    tag = rest[1:].replace("-", "")
    return rest[:1] in "-@:" and ((tag.isdigit() and len(tag) >= 4) or tag in ("latest", "preview", "instruct", "chat", "fp8"))


@cache
def _models() -> dict[str, KnownModel]:
    table = json.loads(resources.files(__package__).joinpath("models.json").read_text("utf-8"))
    return {name: KnownModel(name, window, output) for name, (window, output) in table.items()}
