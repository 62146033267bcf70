"""Many short texts at once: the same as one by one."""

from hypothesis import given
from hypothesis import strategies as st

from netaclaw.compaction.redaction import redact, redact_all

PIECES = st.sampled_from(
    [
        "password=",
        "hunter2hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "MIIEpAIBAAKCAQEA" * 4,
        "\n-----END RSA PRIVATE KEY-----",
        "ghp_" + "a1B2" * 9,
        "plain text",
        "\n",
        "\x00\x1e",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=6))
def test_a_batch_hides_what_each_text_alone_would_hide(texts: list[str]) -> None:
    together, alone = redact_all(texts), [redact(text) for text in texts]

    assert len(together) == len(texts)
    assert together == alone


def test_large_batches_come_back_in_order() -> None:
    texts = [f"line {number} " * 500 for number in range(100)]
    texts[50] = "token ghp_" + "a1B2" * 9

    assert redact_all(texts) == [redact(text) for text in texts]
