"""中文对话里用户的话：一位开发者准备改进 NetaClaw 的辅助模型，先读懂现在的代码。"""

from netaclaw.demo.script import Script

CHINESE = Script(
    language="zh",
    title="方案：辅助模型失败后怎样重试",
    turns=(
        "我在准备 NetaClaw 的一项改进：辅助模型写摘要失败后，用户要能看懂原因，也能马上重试。你只负责读代码，修改由我来做。规矩："
        "不要改 compaction/prompts，失败原因的代码一个都不能改名，不得引入新的依赖。先用 list_files runtime",
        "目标是：摘要写失败时，用户一眼看懂原因，能重试的马上能重试，不能重试的知道该去哪里改；没有遇到失败的人什么都感觉不到。"
        "圣诞节前合并，并写进发布说明。",
        "对应的清单：todo\n```\n[>] 弄清一次压缩从开始到结束的顺序\n[ ] 弄清失败时写了什么、通知了什么\n[ ] 弄清失败后要等多久\n"
        "[ ] 想清楚“重试”按钮做什么\n[ ] 核对中英文提示\n[ ] 列出测试\n```",
        "先看压缩服务：read_file runtime/compaction_service.py 34-110",
        "失败分两种，接着看后半段：read_file runtime/compaction_service.py 205-250，再用 search_files started_at in runtime",
        "每次开始必有一次结束，失败时历史原封不动。决定：重试按钮只是再发一次压缩命令，不新增任何命令。计算等待时间的文件："
        "read_file runtime/thrash.py 1-37",
        "失败后依次等 30、60、300、900 秒，手动压缩不受限制。判断可否开始的函数：search_files may_start in runtime",
        "选择辅助模型的代码：read_file runtime/auxiliary.py 30-64",
        "没有配置时是 no_auxiliary_model，渠道停用或没有勾选时是 auxiliary_unavailable，都不会退到下一级。决定：这两种失败不显示“重试”，"
        "只显示“去设置”。现在的清单：todo\n```\n[x] 弄清一次压缩从开始到结束的顺序\n[x] 弄清失败时写了什么、通知了什么：runtime/compaction_service.py\n"
        "[x] 弄清失败后要等多久：runtime/thrash.py\n[>] 想清楚“重试”按钮做什么\n[ ] 核对中英文提示\n[ ] 列出测试\n```",
        "原因代码的全集：search_files FailureReason in errors.py",
        "翻译渠道错误的文件：read_file providers/auxiliary_errors.py 1-40",
        "文件名应该是 failures.py：read_file providers/failures.py 1-40",
    ),
    further=(
        "决定：把原因分成三类。第一类要改配置：no_auxiliary_model、auxiliary_unavailable、auxiliary_auth；第二类可以重试：auxiliary_timeout、"
        "auxiliary_error、empty_summary；第三类重试也没有用：message_too_large、nothing_to_compact。",
        "超时的秒数：search_files timeout_seconds in providers/auxiliary.py",
        "超时是 120 秒，和文档一致。决定：超时不做成设置，先观察两周。老周周四（12 月 3 日）评审，提示文字必须在周三晚上定稿。",
        "摘要写坏时的处理：search_files _must_shrink in compaction，再用 search_files inflated_summary in errors.py",
        "反而变长的摘要会被拒绝，这一点要告诉用户。决定：inflated_summary 归入第三类，提示写“摘要没有变短，已放弃，历史没有改动”，不得超过 30 个字。",
        "主模型代写的开关：search_files use_main_model_when_auxiliary_fails in runtime",
        "可以，但要在智能体里打开，默认关闭。决定：提示里不主动推荐这个开关，因为会多花主模型的费用；帮助页里写一句就够了。",
        "失败的记录：search_files NoticePayload in runtime/compaction_service.py",
        "失败会存成一条通知，刷新之后还在。决定：按钮跟着通知走，刷新后仍然可用；同一段对话里只有最新一条失败通知显示按钮，旧的只显示文字。",
        "如果正在压缩时又点了重试，服务器会回 busy。我希望页面在这段时间把按钮置灰，不要弹错误。用键盘也必须能点到这个按钮，"
        "读屏软件要能读出失败原因。",
        "冷却期里的自动压缩不会开始，用户却可能以为坏了。决定：状态行写明“自动压缩将在几秒后恢复”，时间由服务器给，页面不自己算。",
        "两个浏览器看同一段对话时，一个点了重试，另一个也要看到开始和结束。这一点现有的事件已经够用，不新增帧，协议版本不变。",
        "小夏负责翻译英文提示，她周五（12 月 4 日）中午 12 点之前要拿到全部 19 条文字。中文里统一用“辅助模型”，不要写成“摘要模型”。",
        "测试第一部分：没有配置时不出现重试；超时后出现重试；点击后开始一次手动压缩；成功后旧的失败通知不再显示按钮。每个测试的名字必须是一句完整的话。",
        "测试第二部分：冷却期的时间来自服务器；两个页面同时看到结果；刷新后按钮还在；服务器重启后失败通知不丢。测试里不许等待真实时间。",
        "评审时会提到审核，先看一眼：read_file compaction/audit.py 1-33",
        "老周的第一条意见：三类太细，用户只关心“我能不能做点什么”。决定：界面上只分两种，能处理的给按钮，不能处理的只给说明；代码里仍然保留三类。",
        "老周的第二条意见：auxiliary_auth 要直接打开那个渠道的编辑页，而不是渠道列表。同意，通知里必须带上渠道的编号，不能带密钥。",
        "没有定下来的是连续失败四次以后是否提醒管理员。现在没有用户体系，先不做，记在 docs/operations.md 的“以后”一节。",
        "实施顺序：先改服务器的通知内容，再改页面，最后改文档；每一步单独提交，单独通过 make check。我周一（12 月 7 日）开始动手。",
        "万一上线后出问题，退回的办法是隐藏按钮，通知照旧保存，不需要迁移数据库。这句话要写进 docs/operations.md。",
        "要给小夏的数字：等待 30、60、300、900 秒，超时 120 秒，默认阈值 70%，两次无效后暂停自动压缩。这些数字这次都不改。",
    ),
    plan="动手之前的清单：todo\n```\n[x] 弄清一次压缩从开始到结束的顺序\n[x] 弄清失败时写了什么、通知了什么：runtime/compaction_service.py\n"
    "[x] 弄清失败后要等多久：runtime/thrash.py\n[x] 想清楚“重试”按钮做什么：再发一次压缩命令\n[>] 核对 19 条中英文提示\n"
    "[ ] 把退回的办法写进 docs/operations.md\n[ ] 列出测试\n```",
    last="一轮对话取得下一次请求的地方：read_file runtime/turn.py 1-{last_line}",
)
