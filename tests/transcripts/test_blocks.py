"""Pictures are found in every shape that content blocks give them."""

from typing import Any

import pytest

from netaclaw.domain.messages import Image
from netaclaw.transcripts.blocks import image_from_url, image_note, picture_of, picture_parts, url_of_image

DATA_URL = "data:image/jpeg;base64,QUJD"


@pytest.mark.parametrize(
    ("block", "image"),
    [
        ({"type": "image_url", "image_url": {"url": DATA_URL}}, Image("image/jpeg", "QUJD")),
        ({"type": "image_url", "image_url": "https://e.org/a.png"}, Image(url="https://e.org/a.png")),
        ({"type": "input_image", "image_url": DATA_URL}, Image("image/jpeg", "QUJD")),
        ({"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "QQ=="}}, Image("image/gif", "QQ==")),
        ({"type": "image", "source": {"type": "url", "url": "https://e.org/a"}}, Image(url="https://e.org/a")),
        ({"type": "image", "data": "QQ==", "mimeType": "image/webp"}, Image("image/webp", "QQ==")),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}}, None),
        ({"type": "image_url", "image_url": None}, None),
        ({"type": "text", "text": "a"}, None),
    ],
)
def test_a_picture_is_found_in_its_block(block: dict[str, Any], image: Image | None) -> None:
    assert picture_of(block) == image
    assert picture_parts([block, 5]) == ((image,) if image else ())


@pytest.mark.parametrize("url", [DATA_URL, "https://e.org/a.png", "data:image/png,raw", "data:;base64,QQ=="])
def test_the_url_of_a_picture_comes_back_as_it_was(url: str) -> None:
    assert url_of_image(image_from_url(url)) == url


def test_a_picture_is_named_where_it_cannot_be_shown() -> None:
    assert image_note(Image("image/png", width=5, height=6)) == "[image image/png 5x6]"
    assert image_note(Image("image/svg+xml")) == "[image image/svg+xml]"
