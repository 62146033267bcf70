"""The conversation that the demo compacts: a shipping bug found, fixed, deployed to staging and refunded, in six turns."""

from netaclaw.domain.messages import Message
from tests.papercrane.story import Story
from tests.papercrane.turns_code import fix_the_payment_webhook, fix_the_shipping_fee
from tests.papercrane.turns_operations import ask_for_release_notes, count_duplicates, deploy_to_staging, refund_the_orders

_RULES_ZH = """你是 papercrane（纸鹤文具店）仓库里的编程与运维代理，工作目录是仓库根目录。
- 先读文件再改文件；改动要小，并说明理由。
- 每条结论都要有命令输出或文件内容作依据。
- 命令失败时，先说清楚错误，再尝试修复。
可用工具：read_file、write_file、edit_file、search_files、list_files、run_command。"""

_RULES_EN = """You are the coding and operations agent of papercrane, a stationery shop; you work in the root of its repository.
- Read a file before you change it; keep changes small and give the reason.
- Every claim rests on the output of a command or on the text of a file.
- When a command fails, say what went wrong before you try to repair it.
Tools: read_file, write_file, edit_file, search_files, list_files, run_command."""


def demo_transcript(language: str) -> tuple[Message, ...]:
    """Return the demo's conversation, `zh` or `en`: the same text on every call, about 100,000 tokens."""
    story = Story(language)
    story.rules(_RULES_ZH, _RULES_EN)
    fix_the_shipping_fee(story)
    fix_the_payment_webhook(story)
    deploy_to_staging(story)
    refund_the_orders(story)
    count_duplicates(story)
    ask_for_release_notes(story)
    return story.messages
