"""Tool output made fit to store."""

from netaclaw.tools.output import shortened


def test_a_short_output_stays_as_it_is() -> None:
    assert shortened("压缩 ok") == "压缩 ok"


def test_a_long_output_keeps_head_and_tail_within_the_limit_and_whole_characters() -> None:
    text = shortened("头" + "中" * 40_000 + "尾", limit_bytes=3_000)
    assert (text[0], text[-1], "\ufffd" in text) == ("头", "尾", False)
    assert len(text.encode()) < 3_100
    assert "of 40,002 characters left out" in text


def test_what_no_database_takes_is_replaced() -> None:
    assert shortened("a\0b\ud800c") == "a\ufffdb?c"
