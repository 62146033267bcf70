"""What the screens of the terminal say, in Chinese and English. Errors are English always: they come from every layer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

ScreenLanguage: TypeAlias = Literal["zh", "en"]

Kind: TypeAlias = Literal["system", "user", "assistant", "arguments", "toolResults", "thinking", "images"]
"""What tokens are spent on; the names are those of `inspect --json`."""


@dataclass(frozen=True, slots=True)
class Words:
    """All fixed texts of one language; `{names}` are filled with `str.format`."""

    roles: Mapping[str, str]
    kinds: Mapping[Kind, str]
    statuses: Mapping[str, str]
    reasons: Mapping[str, str]
    """Reason codes in words."""
    messages: str
    """{count} {roles}"""
    bar: str
    """{used} {window} {percent} {counter}"""
    threshold: str
    """{threshold} {percent}"""
    would_compact: str
    would_not_compact: str
    would_prune: str
    would_prune_in_vain: str
    would_not_because: str
    """{reason} in both"""
    if_forced: str
    tokens_by_kind: str
    number_of_messages: str
    share: str
    all_text: str
    all_tokens: str
    phases: str
    prune: str
    cut: str
    summarize: str
    assemble: str
    nothing_to_prune: str
    cleared_results: str
    cleared_duplicates: str
    shortened_arguments: str
    relieved_results: str
    """The four begin a sentence that `freed` ends; {count} in each."""
    freed: str
    """{freed} {after}"""
    suffices: str
    does_not_suffice: str
    goes_on: str
    not_run: str
    head: str
    middle: str
    kept: str
    tail: str
    interval: str
    """{count} {tokens}"""
    interval_of_one: str
    """{tokens}"""
    none: str
    summary_input: str
    """{count} {tokens} {budget} {language}"""
    with_previous_summary: str
    expected: str
    """{tokens} {messages} {percent}"""
    biggest: str
    warnings: str
    more: str
    """{count}"""
    report: str
    """{status} {before} {after} {saved} {messages_before} {messages_after}"""
    report_details: str
    """{removed} {pruned}"""
    audit: str
    """{checked} {missing} {repaired}"""
    languages: Mapping[str, str]
    joint: str
    """Between two parts of a sentence."""


EN = Words(
    roles={"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"},
    kinds={
        "system": "system messages",
        "user": "user",
        "assistant": "assistant text",
        "arguments": "tool-call arguments",
        "toolResults": "tool results",
        "thinking": "thinking",
        "images": "images",
    },
    statuses={"compacted": "compacted", "pruned": "pruned", "not_needed": "not needed", "failed": "failed"},
    reasons={
        "no_auxiliary_model": "no auxiliary model is set",
        "auxiliary_unavailable": "the auxiliary model is not available",
        "auxiliary_auth": "the auxiliary model refused the key",
        "auxiliary_timeout": "the auxiliary model took too long",
        "auxiliary_error": "the auxiliary model failed",
        "auxiliary_overflow": "the turns do not fit the auxiliary model",
        "empty_summary": "the summary was empty",
        "short_summary": "the summary was too short",
        "truncated_summary": "the summary was cut off",
        "refused_summary": "the auxiliary model refused to summarise",
        "inflated_summary": "the summary was larger than what it replaces",
        "ineffective": "it is still over the threshold",
        "busy": "another compaction is running",
        "cancelled": "it was cancelled",
        "stale": "the conversation moved on meanwhile",
        "storage_error": "it could not be stored",
        "nothing_to_compact": "there is nothing between head and tail to compact",
        "message_too_large": "one message alone is too large; split it",
        "system_prompt_too_large": "the system prompt alone is over the threshold",
    },
    messages="messages: {count} ({roles})",
    bar="{used} of {window} tokens ({percent} %, {counter})",
    threshold="threshold {threshold} ({percent} %)",
    would_compact="It would be compacted.",
    would_not_compact="It would not be compacted.",
    would_prune="It would be pruned: cutting old tool output is enough, no summary is needed.",
    would_prune_in_vain="It would be pruned, but {reason}.",
    would_not_because="It would not be compacted: {reason}.",
    if_forced="What follows is what --force would do.",
    tokens_by_kind="Tokens by kind",
    number_of_messages="messages",
    share="share",
    all_text="text and arguments",
    all_tokens="all",
    phases="What each phase does",
    prune="1 prune",
    cut="2 cut",
    summarize="3 summarise",
    assemble="4 assemble",
    nothing_to_prune="nothing to prune",
    cleared_results="old results cleared: {count}",
    cleared_duplicates="results that stand again later cleared: {count}",
    shortened_arguments="messages with shortened call arguments: {count}",
    relieved_results="results shortened in the tail, which is too long: {count}",
    freed="frees {freed} tokens, {after} are left",
    suffices="that is enough, so phases 2 to 4 are not run",
    does_not_suffice="that is not enough",
    goes_on="that would be enough, but a forced run goes on",
    not_run="not run",
    head="head",
    middle="middle",
    kept="kept",
    tail="tail",
    interval="{count} messages, {tokens} tokens",
    interval_of_one="1 message, {tokens} tokens",
    none="none",
    summary_input="{count} messages with {tokens} tokens become a summary of at most {budget} tokens in {language}",
    with_previous_summary=", together with the summary before it",
    expected="about {tokens} tokens in {messages} messages are left, {percent} % of what it was",
    biggest="Biggest messages",
    warnings="Warnings of the reader",
    more="{count} more",
    report="{status}: {before} -> {after} tokens ({saved} % saved), {messages_before} -> {messages_after} messages",
    report_details="{removed} messages summarised, {pruned} pruned",
    audit="audit: {checked} facts checked, {missing} missing in the summary, {repaired} added",
    languages={"zh": "Chinese", "en": "English"},
    joint="; ",
)

ZH = Words(
    roles={"system": "系统", "user": "用户", "assistant": "助手", "tool": "工具"},
    kinds={
        "system": "系统消息",
        "user": "用户",
        "assistant": "助手文本",
        "arguments": "工具调用参数",
        "toolResults": "工具结果",
        "thinking": "思考",
        "images": "图片",
    },
    statuses={"compacted": "已压缩", "pruned": "已裁剪", "not_needed": "无需压缩", "failed": "失败"},
    reasons={
        "no_auxiliary_model": "未配置辅助模型",
        "auxiliary_unavailable": "辅助模型不可用",
        "auxiliary_auth": "辅助模型拒绝了密钥",
        "auxiliary_timeout": "辅助模型超时",
        "auxiliary_error": "辅助模型出错",
        "auxiliary_overflow": "待摘要内容超出辅助模型的窗口",
        "empty_summary": "摘要为空",
        "short_summary": "摘要过短",
        "truncated_summary": "摘要被截断",
        "refused_summary": "辅助模型拒绝生成摘要",
        "inflated_summary": "摘要比原文还长",
        "ineffective": "压缩后仍超过阈值",
        "busy": "另一次压缩正在进行",
        "cancelled": "已取消",
        "stale": "对话在此期间有了新内容",
        "storage_error": "无法写入存储",
        "nothing_to_compact": "头部与尾部之间没有可压缩的内容",
        "message_too_large": "单条消息过大，请拆分",
        "system_prompt_too_large": "仅系统提示就超过阈值",
    },
    messages="{count} 条消息（{roles}）",
    bar="{used} / {window} tokens（{percent}%，{counter}）",
    threshold="阈值 {threshold}（{percent}%）",
    would_compact="将会压缩。",
    would_not_compact="不会压缩。",
    would_prune="将会裁剪：清除旧工具输出就够了，不需要摘要。",
    would_prune_in_vain="将会裁剪，但{reason}。",
    would_not_because="不会压缩：{reason}。",
    if_forced="以下是使用 --force 时的情况。",
    tokens_by_kind="各类 token",
    number_of_messages="消息",
    share="占比",
    all_text="文本与参数合计",
    all_tokens="总计",
    phases="各阶段的作用",
    prune="1 裁剪",
    cut="2 划界",
    summarize="3 摘要",
    assemble="4 装配",
    nothing_to_prune="没有可裁剪的内容",
    cleared_results="清除旧工具结果 {count} 条",
    cleared_duplicates="清除后文重复出现的结果 {count} 条",
    shortened_arguments="缩短调用参数的消息 {count} 条",
    relieved_results="尾部过长，缩短其中的结果 {count} 条",
    freed="释放 {freed} tokens，剩余 {after}",
    suffices="已经够了，不再执行阶段 2 至 4",
    does_not_suffice="还不够",
    goes_on="其实已经够了，但强制压缩会继续",
    not_run="不执行",
    head="头部",
    middle="中间",
    kept="保留",
    tail="尾部",
    interval="{count} 条消息，{tokens} tokens",
    interval_of_one="1 条消息，{tokens} tokens",
    none="无",
    summary_input="{count} 条消息共 {tokens} tokens，写成不超过 {budget} tokens 的{language}摘要",
    with_previous_summary="，并合并之前的摘要",
    expected="剩余约 {tokens} tokens，{messages} 条消息，为原来的 {percent}%",
    biggest="最大的消息",
    warnings="读取时的警告",
    more="另有 {count} 条",
    report="{status}：{before} -> {after} tokens（节省 {saved}%），{messages_before} -> {messages_after} 条消息",
    report_details="摘要覆盖 {removed} 条消息，裁剪 {pruned} 条",
    audit="审核：检查 {checked} 项事实，摘要缺少 {missing} 项，补入 {repaired} 项",
    languages={"zh": "中文", "en": "英文"},
    joint="；",
)


def screen_language(environment: Mapping[str, str], choice: str | None = None) -> ScreenLanguage:
    """Return `choice`, or what the locale variables ask for; anything that is not Chinese is English."""
    locale = choice or environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def words_of(language: ScreenLanguage) -> Words:
    """Return the texts of a language."""
    return ZH if language == "zh" else EN
