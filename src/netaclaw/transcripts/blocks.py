"""Pictures in content blocks, in the shapes that OpenAI, Anthropic, MCP and pi give them."""

import re
from collections.abc import Mapping
from typing import Any

from netaclaw.domain.messages import Image

_DATA_URL = re.compile(r"data:([^;,]+);base64,(.*)", re.DOTALL)


def image_from_url(url: str) -> Image:
    """Return the picture of a URL; one in a base64 data URL is held as data."""
    found = _DATA_URL.fullmatch(url)
    return Image(found[1], data=found[2]) if found else Image(url=url)


def url_of_image(image: Image) -> str:
    """Return the URL that carries a picture which is sent."""
    return image.url if image.data is None and image.url is not None else f"data:{image.media_type};base64,{image.data}"


def picture_of(block: Mapping[str, Any]) -> Image | None:
    """Return the picture in a content block of any known shape, or None."""
    kind = block.get("type")
    if kind in ("image_url", "input_image"):
        stated = block.get("image_url")
        url = stated.get("url") if isinstance(stated, Mapping) else stated
        return image_from_url(url) if isinstance(url, str) else None
    if kind != "image":
        return None
    source = block.get("source")
    if isinstance(source, Mapping):
        return _picture_of_source(source)
    data, media_type = block.get("data"), block.get("mimeType", block.get("media_type"))
    return Image(media_type, data) if isinstance(data, str) and isinstance(media_type, str) else None


def picture_parts(content: object) -> tuple[Image, ...]:
    """Return the pictures in a content list."""
    if not isinstance(content, list):
        return ()
    found = (picture_of(block) for block in content if isinstance(block, Mapping))
    return tuple(image for image in found if image is not None)


def image_note(image: Image) -> str:
    """Return the words that stand for a picture where none can be sent."""
    size = f" {image.width}x{image.height}" if image.width and image.height else ""
    return f"[image {image.media_type}{size}]"


def _picture_of_source(source: Mapping[str, Any]) -> Image | None:
    kind, data, media_type, url = (source.get(key) for key in ("type", "data", "media_type", "url"))
    if kind == "base64" and isinstance(data, str) and isinstance(media_type, str):
        return Image(media_type, data)
    return Image(url=url) if kind == "url" and isinstance(url, str) else None
