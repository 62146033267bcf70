"""The turns in which the agent runs things: a deployment to a full disk, a batch of refunds, a new metric, and the open request."""

from tests.papercrane import outputs, workspace
from tests.papercrane.story import Story, edit, read, run, search, write

_DEPLOY_YAML = """host: stg-2.papercrane.example
user: deploy
release_dir: /srv/papercrane/releases
keep_releases: 5
health_url: http://stg-2.papercrane.example:8080/healthz
"""

_LOGROTATE = """/var/log/papercrane/*.log {
    daily
    rotate 7
    maxsize 200M
    compress
    missingok
    postrotate
        systemctl kill -s HUP papercrane.service
    endscript
}
"""

_DEPLOY_FAILURE = """deploying c04d2aa to stg-2
rsync: write failed on "/srv/papercrane/releases/2.14.3/app.tar": No space left on device (28)
ERROR: upload failed, the old release 2.14.2 stays active
exit code 1"""

_DEPLOY_SUCCESS = """deploying c04d2aa to stg-2
uploaded 48.2 MB, migrations: none pending, switched to 2.14.3
GET http://stg-2.papercrane.example:8080/healthz -> 200 {"version": "2.14.3", "commit": "c04d2aa"}
exit code 0"""

_REFUND_NOTE = """# 退款批次 RB-0319 / Refund batch RB-0319

- 42 笔订单，每笔 48.00 元，合计 2016.00 元。
- 39 orders refunded, 1872.00 CNY. 3 orders refused with code 4713 (account closed by the bank).
- 被拒的订单由财务手工转账：PC-20260312-0093、PC-20260314-0218、PC-20260316-0371。
"""

_ALERT = """- alert: ShippingFeeChargedTwice
  expr: increase(shipping_fee_duplicates_total[10m]) > 5
  for: 0m
  labels: {severity: page}
"""


def deploy_to_staging(story: Story) -> None:
    """Tell the third turn: staging is out of disk."""
    story.ask(
        "把 2.14.3 部署到预发环境 stg-2，只部署预发。部署完告诉我健康检查的结果。",
        "Deploy 2.14.3 to staging, stg-2, and only there. Tell me what the health check says.",
    )
    story.work(
        "先看部署配置，再部署预发。",
        "The deployment settings first, then staging.",
        read("ops/deploy.yaml", _DEPLOY_YAML),
        run("make deploy-staging", _DEPLOY_FAILURE),
    )
    story.work(
        "部署失败：磁盘满了（No space left on device）。看看是什么占的。",
        "It failed: no space left on device. What fills the disk?",
        run("ssh deploy@stg-2.papercrane.example 'df -h /var/log; du -sm /var/log/papercrane/* | sort -rn'", outputs.disk_usage()),
        run("ssh deploy@stg-2.papercrane.example 'tail -n 280 /var/log/papercrane/worker-00/service.log'", outputs.service_log(22, 280)),
        read("ops/logrotate.d/papercrane", _LOGROTATE.replace("daily", "monthly").replace("    maxsize 200M\n", "")),
    )
    story.work(
        "日志按月轮转，又没有大小上限，40G 的 /var/log 被写满了。改成每天轮转、单个最多 200M、保留 7 份。",
        "Logs turn monthly without a limit, and filled the 40 GB of /var/log. Daily now, at most 200 MB each, seven kept.",
        write("ops/logrotate.d/papercrane", _LOGROTATE),
        run("ssh deploy@stg-2.papercrane.example 'sudo logrotate -f /etc/logrotate.d/papercrane; df -h /var/log'",
            "Filesystem  Size  Used Avail Use% Mounted on\n/dev/vdb1    40G  6.1G   34G  16% /var/log\nexit code 0"),
        run("make deploy-staging", _DEPLOY_SUCCESS),
    )  # fmt: skip
    story.work(
        "部署成功。再观察几分钟日志，确认没有新的错误。",
        "It is up. I watch the log for a few minutes.",
        run("ssh deploy@stg-2.papercrane.example 'journalctl -u papercrane -n 300'", outputs.service_log(23, 300)),
    )
    story.answer(
        "2.14.3（c04d2aa）已经在预发 stg-2 上运行，健康检查返回 200。第一次失败是因为 /var/log 写满（100%），原因是日志按月轮转；"
        "已改为每天轮转、`maxsize 200M`、保留 7 份，现在占用 16%。生产环境没有动。",
        "2.14.3 (c04d2aa) runs on stg-2; the health check answers 200. The first try failed because /var/log was full (100 %): logs turned monthly. "
        "They turn daily now, `maxsize 200M`, seven kept; 16 % is used. Production is untouched.",
    )


def refund_the_orders(story: Story) -> None:
    """Tell the fourth turn: everybody who paid twice gets the money back."""
    story.ask(
        "把所有多收运费的订单查出来并退款。退款必须走 scripts/refund_batch.py，先 --dry-run 给我看合计；批次号用 RB-0319。对客户一律写“运费”，不要写“邮费”。",
        "Find every order that paid shipping twice and refund it. Refunds go through scripts/refund_batch.py only, with --dry-run first; the batch number "
        "is RB-0319. In what customers read, write “shipping”, never “postage”.",
    )
    story.work(
        "先查订单，再读退款脚本。",
        "The orders first, then the refund script.",
        run("psql papercrane -c 'select * from orders_charged_twice' --csv", outputs.affected_orders()),
        read("scripts/refund_batch.py", workspace.REFUND_BATCH),
        search("refund", outputs.search_hits("gateway.refund(number, amount)", 40)),
    )
    story.work(
        "共 42 笔，每笔 48.00 元。先试运行。",
        "42 orders, 48.00 each. The dry run.",
        run("python scripts/refund_batch.py /tmp/orders.csv --batch RB-0319 --dry-run", outputs.refund_report(dry_run=True)),
    )
    story.answer(
        "试运行合计 42 笔、2016.00 元，没有发出任何退款。要正式执行吗？",
        "The dry run adds up to 42 orders and CNY 2,016.00; nothing was sent. Shall I run it?",
    )
    story.ask("金额对，执行吧。被拒的单独列出来。", "The sum is right, run it. List the refused ones.")
    story.work(
        "正式执行。",
        "I run it.",
        run("python scripts/refund_batch.py /tmp/orders.csv --batch RB-0319", outputs.refund_report(dry_run=False)),
        run("psql papercrane -c 'select * from orders_charged_twice' --csv", outputs.affected_orders()),
        write("docs/refunds.md", _REFUND_NOTE),
    )
    story.answer(
        "39 笔已退款，共 1872.00 元；3 笔被银行拒绝（代码 4713，账户已注销）：PC-20260312-0093、PC-20260314-0218、PC-20260316-0371，"
        "需要财务手工转账，共 144.00 元。记录写在 docs/refunds.md。",
        "39 orders are refunded, CNY 1,872.00. Three were refused by the bank (code 4713, account closed): PC-20260312-0093, PC-20260314-0218, "
        "PC-20260316-0371; accounting has to transfer CNY 144.00 by hand. It stands in docs/refunds.md.",
    )


def count_duplicates(story: Story) -> None:
    """Tell the fifth turn: a metric and an alert, so that it cannot happen unseen again."""
    story.ask(
        "加一个指标 shipping_fee_duplicates_total，再配一条告警，这种事以后要马上知道。",
        "Add a metric shipping_fee_duplicates_total and an alert, so that we hear of it at once next time.",
    )
    story.work(
        "先看现有的指标和告警。",
        "The metrics and alerts we have.",
        read("papercrane/metrics.py", workspace.METRICS),
        read("papercrane/checkout.py", workspace.CHECKOUT),
        run("journalctl -u papercrane -n 270", outputs.service_log(24, 270)),
    )
    story.work(
        "加上计数器和告警，然后跑检查。",
        "Counter and alert, then the checks.",
        edit("papercrane/metrics.py", "refunds_total = ",
             'shipping_fee_duplicates_total = Counter("shipping_fee_duplicates_total", "Orders whose base fee was charged twice")\nrefunds_total = '),
        write("ops/prometheus/alerts.yaml", _ALERT),
        run("make test", outputs.passing_tests(5, 169)),
        run("make check", "ruff check .\nAll checks passed!\nexit code 0"),
    )  # fmt: skip
    story.answer(
        "指标和告警都加好了：10 分钟内超过 5 次就告警。`make test` 和 `make check` 通过（169 个测试），提交 9d77e02。还没有部署。",
        "Metric and alert are in: more than 5 within 10 minutes pages. `make test` and `make check` pass (169 tests), commit 9d77e02. Not deployed.",
    )


def ask_for_release_notes(story: Story) -> None:
    """End with a request that is still open: the agent has to go on from here."""
    story.ask(
        "告警阈值改成 10 分钟内大于 0 就告警。然后准备 2.14.4 的发布说明，中英文各一份，先不要发布。",
        "Let the alert fire at anything above 0 within 10 minutes. Then prepare the release notes of 2.14.4, in Chinese and in English, and do not release yet.",
    )
