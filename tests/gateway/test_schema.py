"""The document that the page's types are generated from."""

from pathlib import Path

from netaclaw.app import openapi_document
from netaclaw.gateway.schema import TARGET, openapi_text

ROOT = Path(__file__).resolve().parents[2]


def test_the_written_document_is_the_one_of_the_code() -> None:
    assert (ROOT / TARGET).read_text("utf-8") == openapi_text(), "run: .venv/bin/python -m netaclaw.gateway.schema"


def test_every_frame_is_among_the_schemas_with_what_it_always_carries() -> None:
    schemas = openapi_document()["components"]["schemas"]
    assert len(schemas["ServerFrame"]["oneOf"]) == 16
    assert len(schemas["ClientCommand"]["oneOf"]) == 12
    assert schemas["Delta"]["required"] == ["type", "sessionId", "runId"]
    assert schemas["Chat"]["required"] == ["requestId", "sessionId", "type", "text"]
