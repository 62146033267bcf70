"""What the demo says besides what `inspect` and `compact` say, in Chinese and English."""

from dataclasses import dataclass

from netaclaw.terminal.words import ScreenLanguage


@dataclass(frozen=True, slots=True)
class DemoWords:
    """All fixed texts of one language; `{names}` are filled with `str.format`."""

    title: str
    introduction: str
    before: str
    after: str
    conversation: str
    hidden: str
    """{count} {tokens}"""
    summary: str
    audit: str
    audit_details: str
    the_summary: str
    """Marks the message that carries the summary."""
    try_it: str


EN = DemoWords(
    title="NetaClaw {version}: compacting a long agent conversation",
    introduction=(
        "An agent has repaired and deployed papercrane, an invented shop. NetaClaw made the conversation up: same text every time, no key, no "
        "network. It has passed the threshold, so it is compacted now, with the built-in offline summariser, as after /compact or --force."
    ),
    before="Before",
    after="After",
    conversation="Messages",
    hidden="... {count} messages with {tokens} tokens",
    summary="The summary",
    audit="Audit: what the summary must not lose",
    audit_details="facts were found in the summarised turns without a model (files, failed commands, numbers, the user's rules) and looked up in the summary",
    the_summary="summary",
    try_it="Try it on a conversation of yours:",
)

ZH = DemoWords(
    title="NetaClaw {version}：压缩一段很长的代理对话",
    introduction=(
        "代理修好并部署了虚构的文具店papercrane。这段对话由NetaClaw自己生成：每次相同，不需要密钥，也不需要网络。它已经超过阈值，"
        "现在用内置的离线摘要器压缩，效果与输入/compact或使用--force相同。"
    ),
    before="压缩前",
    after="压缩后",
    conversation="消息",
    hidden="... {count} 条消息，{tokens} tokens",
    summary="摘要",
    audit="审核：摘要不能丢的内容",
    audit_details="事实不靠模型，直接从被摘要的轮次中提取（文件、失败的命令、数字、用户的规则），再到摘要里逐项核对",
    the_summary="摘要",
    try_it="用你自己的对话试试：",
)


def demo_words(language: ScreenLanguage) -> DemoWords:
    """Return the texts of a language."""
    return ZH if language == "zh" else EN
