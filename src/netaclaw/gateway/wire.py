"""The base of all bodies of requests and answers: camelCase outside, snake_case inside."""

from typing import Annotated, TypeAlias

from fastapi import Path
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A body. Unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid")


PathId: TypeAlias = Annotated[int, Path(ge=1, le=2**63 - 1)]
"""An id in the address."""
