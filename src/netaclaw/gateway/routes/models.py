"""Well-known models, for the choice in a channel's form."""

from fastapi import APIRouter

from netaclaw.gateway.wire import Wire
from netaclaw.providers.known_models import known_models

router = APIRouter(prefix="/api/models", tags=["models"])


class ModelBody(Wire):
    """A model whose limits are known, in tokens."""

    name: str
    window_tokens: int
    max_output_tokens: int


class ModelList(Wire):
    """All known models."""

    models: list[ModelBody]


@router.get("")
async def list_models() -> ModelList:
    """List the models whose limits are known."""
    return ModelList(
        models=[
            ModelBody(name=model.name, window_tokens=model.window_tokens, max_output_tokens=model.max_output_tokens)
            for model in known_models()
        ]
    )
