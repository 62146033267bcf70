"""What the demo says on the terminal."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoWords:
    """The lines of one language."""

    making: str
    try_it: str


WORDS = {
    "en": DemoWords(
        making="The offline agent reads NetaClaw's source in two conversations; this takes some seconds ...",
        try_it="Open the page, choose a conversation and send a message: the next one compacts it.\n"
        "The offline model is no language model; a real one is connected under Model channels. Ctrl-C ends the demo.",
    ),
    "zh": DemoWords(
        making="离线智能体正在两段对话里阅读 NetaClaw 的源代码，需要几秒钟……",
        try_it="打开页面，选一段对话，发一条消息：这条消息就会触发压缩。\n离线模型不是语言模型；真正的模型在“模型渠道”里接入。按 Ctrl-C 结束演示。",
    ),
}
