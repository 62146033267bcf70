"""The conversation that fills the sessions of these tests: work on a small lending library, in English and in Chinese."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
LOCALES: dict[Language, str] = {"en": "en-GB", "zh": "zh-CN"}


@dataclass(frozen=True)
class Turn:
    """A question, perhaps one tool call with its result, and the answer."""

    asked: str
    answer: str
    tool: tuple[str, str, str] | None = None
    """Name, arguments, result."""


SUMMARY = {
    "en": """## Goal
Make the lending library remind readers of overdue books without ever sending a reminder twice.

## Constraints & Preferences
- Do not change the table `loan`; other programs read it.
- Reminders go out at 08:00 in the reader's own time zone.

## Progress
### Done
- Found the fault: `due_today()` compares a date with a time of UTC (`library/reminders.py`, line 42).
- Wrote `tests/test_reminders.py` with the case of loan LN-20417.
### In Progress
- Moving the sent mark into its own table `reminder`.
### Blocked
(none)

## Key Decisions
- A unique key on (loan, day) instead of a lock: it also holds between two processes.

## Relevant Files
- `library/reminders.py`, `library/clock.py`, `tests/test_reminders.py`

## Next Steps
1. Write the migration of the table `reminder`.
2. Run the whole test suite.

## Critical Context
- Ticket LIB-388, loan LN-20417, reader 5521, due on 2026-03-29 (the night of the change to summer time).
""",
    "zh": """## 目标
让借书系统按时提醒读者还书，并且同一条提醒绝不发两次。

## 约束与偏好
- 不改动 `loan` 表，别的程序也在读它。
- 提醒在读者当地时间 08:00 发出。

## 进度
### 已完成
- 找到原因：`due_today()` 拿日期去比 UTC 时间（`library/reminders.py` 第 42 行）。
- 写好 `tests/test_reminders.py`，覆盖借阅 LN-20417 的情况。
### 进行中
- 把“已发送”的标记移到单独的 `reminder` 表。
### 受阻
（无）

## 关键决策
- 用 (借阅, 日期) 的唯一键，不用锁：两个进程之间也有效。

## 相关文件
- `library/reminders.py`、`library/clock.py`、`tests/test_reminders.py`

## 下一步
1. 写 `reminder` 表的迁移。
2. 跑一遍全部测试。

## 关键上下文
- 工单 LIB-388，借阅 LN-20417，读者 5521，应还日期 2026-03-29（当晚切换夏令时）。
""",
}
"""What the auxiliary model writes."""

RICH_ANSWER = {
    "en": """Three places have to change. Here is the order in which I would do it:

1. **Take the day from the reader's clock**, not from the server's.
2. Store what was sent in its own table, with a unique key.
3. Delete the flag `is_reminded`; nothing else reads it.

| place | now | then |
|---|---|---|
| `library/reminders.py` | compares with UTC | asks `clock.today(reader)` |
| `library/tables.py` | a flag on `loan` | a table `reminder` with a unique key on loan and day |
| `library/jobs.py` | runs once a day | runs every hour, sends only what is due |

```python
def due_today(loan: Loan, clock: Clock) -> bool:
    \"\"\"Whether the loan ends today where its reader lives.\"\"\"
    today = clock.today(loan.reader.time_zone)
    return loan.due_on == today and not loan.is_returned
```

> A reminder that comes twice is worse than one that comes an hour late.

See [the notes on time zones](https://example.org/zones) for the night of the change.
""",
    "zh": """有三处要改，建议按这个顺序：

1. **用读者当地的日期**，不用服务器的。
2. 已发送的提醒存进单独的表，加唯一键。
3. 去掉 `is_reminded` 标记，没有别的地方用它。

| 位置 | 现在 | 之后 |
|---|---|---|
| `library/reminders.py` | 与 UTC 时间比较 | 调用 `clock.today(reader)` |
| `library/tables.py` | `loan` 表上的标记 | `reminder` 表，借阅与日期上有唯一键 |
| `library/jobs.py` | 每天运行一次 | 每小时运行，只发到期的 |

```python
def due_today(loan: Loan, clock: Clock) -> bool:
    \"\"\"读者所在地的今天是不是应还日期。\"\"\"
    today = clock.today(loan.reader.time_zone)
    return loan.due_on == today and not loan.is_returned
```

> 提醒晚一个小时不要紧，发两次才糟糕。

切换夏令时那一晚的情况见[时区说明](https://example.org/zones)。
""",
}
"""An answer with a list, a table, code, a quotation and a link."""

_SOURCE = "\n".join(
    f"{number:>3}  {line}"
    for number, line in enumerate(
        """from datetime import UTC, datetime

def due_today(loan):
    return loan.due_on == datetime.now(UTC).date()

def remind(loan, post):
    if loan.is_reminded:
        return
    post.send(loan.reader, loan.book)
    loan.is_reminded = True""".splitlines(),
        36,
    )
)

TURNS: dict[Language, tuple[Turn, ...]] = {
    "en": (
        Turn(
            "Readers of the lending library get the reminder for the same book twice. Find out why; do not change the table `loan`.",
            "I will read the module that sends the reminders first, then the job that calls it. The table `loan` stays as it is.",
        ),
        Turn(
            "Start with library/reminders.py.",
            "`due_today()` compares the day of the loan with the day in UTC. Around midnight that is another day than the reader's, "
            "and the flag `is_reminded` is written after the letter has gone out: a crash between the two sends it again.",
            ("read_file", '{"path": "library/reminders.py"}', _SOURCE),
        ),
        Turn("Is there a test that fails?", RICH_ANSWER["en"]),
        Turn(
            "What happened with loan LN-20417 of ticket LIB-388?",
            "It was due on 2026-03-29, the night of the change to summer time. The job ran at 00:30 and at 02:30; in between the day in "
            "UTC had changed, so both runs found it due. Reader 5521 got two letters, 38 minutes after each other as the post office "
            "counted. The log of the second run shows that `is_reminded` was still false, because the first run had been killed by the "
            "restart of the server at 01:02, after the letter had been handed over and before the flag was written.",
        ),
        Turn(
            "Which is better, a lock or a unique key?",
            "A unique key on loan and day. A lock holds within one process; the job runs in two. With the key the second insert fails, "
            "and what fails sends nothing. It also leaves a trace of what was sent and when, which a flag does not.\n\n"
            "What speaks against it: one more table, and a migration that has to fill it for the loans of today. Both are small, and the "
            "migration can run while the library is open, since it only adds.",
        ),
    ),
    "zh": (
        Turn(
            "借书系统会给读者重复发送同一本书的还书提醒。请找出原因，不要改动 `loan` 表。",
            "我先读发送提醒的模块，再看调用它的定时任务。`loan` 表保持不变。",
        ),
        Turn(
            "从 library/reminders.py 开始。",
            "`due_today()` 拿借阅的日期和 UTC 的日期比较，午夜前后两者不是同一天；"
            "而且 `is_reminded` 是在信发出之后才写的，如果两步之间进程崩溃，就会再发一次。",
            ("read_file", '{"path": "library/reminders.py"}', _SOURCE),
        ),
        Turn("有没有会失败的测试？", RICH_ANSWER["zh"]),
        Turn(
            "工单 LIB-388 里的借阅 LN-20417 是怎么回事？",
            "它的应还日期是 2026-03-29，正好是切换夏令时的那一晚。任务在 00:30 和 02:30 各跑了一次，"
            "期间 UTC 的日期变了，所以两次都认为它今天到期，读者 5521 收到了两封信。"
            "第二次运行的日志显示 `is_reminded` 还是 false，因为第一次运行在 01:02 服务器重启时被终止，"
            "当时信已经交出去，标记还没有写入。",
        ),
        Turn(
            "用锁好还是用唯一键好？",
            "用借阅和日期上的唯一键。锁只在一个进程里有效，而这个任务在两个进程里运行。有了唯一键，第二次插入会失败，"
            "失败就不会再发；它还留下了“何时发过什么”的记录，标记做不到这一点。\n\n"
            "缺点是多一张表，还要写一个迁移把今天的借阅补进去。两件事都不大，迁移只增不改，可以在系统运行时执行。",
        ),
    ),
}


def write_story(path: Path, language: Language, extra_tools: int = 0) -> None:
    """Write the conversation as a transcript; `extra_tools` long tool results stand at its beginning, for a prune."""
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in _records(language, extra_tools)) + "\n", "utf-8")


def write_long_story(path: Path, messages: int) -> None:
    """Write a conversation of many short messages."""
    roles = ("user", "assistant")
    records = ({"role": roles[number % 2], "content": f"message number {number + 1}"} for number in range(messages))
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def _records(language: Language, extra_tools: int) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    for number, turn in enumerate(TURNS[language]):
        records.append({"role": "user", "content": turn.asked})
        tools = [turn.tool] if turn.tool else []
        if number == 1:
            tools += [
                ("read_file", json.dumps({"path": f"library/part_{part}.py"}), f"# part {part}\n{_SOURCE}\n" * 4)
                for part in range(extra_tools)
            ]
        for index, (name, arguments, result) in enumerate(tools):
            call = {"id": f"call_{number}_{index}", "name": name, "arguments": arguments}
            records.append({"role": "assistant", "content": "", "tool_calls": [call]})
            records.append({"role": "tool", "tool_call_id": call["id"], "name": name, "content": result})
        records.append({"role": "assistant", "content": turn.answer})
    return records
