"""The two turns in which code is read, changed and tested: the shipping fee that was charged twice, and the payment webhook."""

from tests.papercrane import outputs, workspace
from tests.papercrane.story import Story, edit, read, run, search, write

_NEW_QUOTE = """def quote_order(basket: Basket, province: str, carrier: str) -> Quote:
    # One order pays one base fee; splitting for insurance must not cost the customer anything.
    rate = RATES[province][carrier]
    kilos = max(1, ceil(basket.grams / 1000))
    return Quote(parcel_count(basket), rate.base + rate.per_kilo * (kilos - 1))
"""

_OLD_QUOTE = workspace.SHIPPING[workspace.SHIPPING.index("def quote_parcels") : workspace.SHIPPING.index("def parcel_count")]

_SHIPPING_AFTER = workspace.SHIPPING.replace(_OLD_QUOTE, _NEW_QUOTE + "\n\n").replace(
    "class Parcel:\n    grams: int", "class Quote:\n    parcels: int"
)

_REGRESSION_TEST = '''"""Orders over 500 yuan are sent in two parcels and pay shipping once."""

from decimal import Decimal

import pytest

from papercrane.checkout import total_for
from tests.builders import basket


@pytest.mark.parametrize("value", ["499.99", "500.00", "500.01", "516.00", "799.99"])
def test_an_order_pays_one_base_fee_however_many_parcels_it_needs(value: str) -> None:
    total = total_for(basket(value=Decimal(value), grams=900), "Zhejiang", "egret")
    assert total.shipping == Decimal("48.00")


def test_goods_over_800_ship_free() -> None:
    assert total_for(basket(value=Decimal("800.01"), grams=900), "Zhejiang", "egret").shipping == Decimal("0.00")
'''

_SHIPPING_FAILURE = """    def test_an_order_pays_one_base_fee_however_many_parcels_it_needs(value):
        total = total_for(basket(value=Decimal(value), grams=900), "Zhejiang", "egret")
>       assert total.shipping == Decimal("48.00")
E       AssertionError: assert Decimal('96.00') == Decimal('48.00')
tests/test_shipping.py:14: AssertionError"""

_WEBHOOK_FAILURE = """>       await on_payment(session, event)
E       sqlalchemy.exc.IntegrityError: duplicate key value violates unique constraint "payment_event_event_id_key"
E       DETAIL:  Key (event_id)=(evt_7f31c0) already exists.
tests/test_webhooks.py:88: IntegrityError"""

_NEW_WEBHOOK = """    claimed = await session.execute(
        insert(payment_events).values(order_no=event["order_no"], event_id=event["id"]).on_conflict_do_nothing().returning(payment_events.c.id)
    )
    if claimed.first() is None:
        return  # the gateway sent it again; the first delivery does the work
"""

_MAIL_ZH = """邮件原文如下：

> From: Marguerite Oyelaran
> Order: PC-20260311-0457
> Hello, I ordered six notebooks and two brush pens on 11 March. Your invoice shows "shipping 48.00" on two lines and my card was
> charged 612.00. The site promised 564.00 at checkout. This is the second time. Please refund the difference and tell me it will not
> happen again, otherwise I will dispute the payment with my bank before 25 March."""

_MAIL_EN = """The mail, as it came:

> 发件人：欧阳若兰
> 订单：PC-20260311-0457
> 您好，我 3 月 11 日买了六本笔记本和两支毛笔，发票上“运费 48.00”出现了两行，银行卡被扣了 612.00 元，而结账页面写的是 564.00 元。
> 这已经是第二次了。请退还差额，并保证以后不会再发生，否则我会在 3 月 25 日之前向银行提出争议。"""


def fix_the_shipping_fee(story: Story) -> None:
    """Tell the first turn: a customer paid shipping twice."""
    story.ask(
        "订单 PC-20260311-0457 被收了两次运费：客户付了 ¥612.00，其中运费 ¥48.00 收了两次。从 2.14.0 版本开始的。请找出原因并修好。\n"
        "几条规矩：不要动 migrations/ 目录；不要增加新的依赖；代码注释一律用英文；提交前必须跑 make check；没有我点头，绝对不要部署到生产环境。\n\n"
        + _MAIL_ZH,
        "Order PC-20260311-0457 paid for shipping twice: the customer paid CNY 612.00, and the fee of CNY 48.00 is in it two times. It began with "
        "release 2.14.0. Find the cause and fix it.\nRules: never touch migrations/; add no dependency; comments in English; run make check before "
        "every commit; never deploy to production until I say so.\n\n" + _MAIL_EN,
    )
    story.work(
        "我先看仓库结构，再读计价和结账的代码。",
        "I look at the repository first, then at the code for prices and checkout.",
        ("list_files", {"path": "."}, outputs.file_listing()),
        read("papercrane/checkout.py", workspace.CHECKOUT),
        read("papercrane/shipping.py", workspace.SHIPPING),
        thought="612.00 - 96.00 = 516.00 of goods, which is over 500.00; something splits there.",
    )
    story.work(
        "`parcel_count` 在货值超过 500 元时会拆成两个包裹，`quote_parcels` 对每个包裹都收一次首重费。再核对费率表和所有调用处。",
        "`parcel_count` splits at goods over 500 yuan, and `quote_parcels` charges the base fee for each parcel. I check the rates and every caller.",
        read("papercrane/carriers.py", outputs.rate_table()),
        search("quote_parcels", outputs.search_hits("quote_parcels(basket, province, carrier)", 45)),
    )
    story.work(
        "先写一个能复现问题的测试。",
        "First a test that shows the fault.",
        write("tests/test_shipping.py", _REGRESSION_TEST),
        run("make test", outputs.failing_tests(1, "tests/test_shipping.py::test_an_order_pays_one_base_fee[516.00]", _SHIPPING_FAILURE)),
    )
    story.work(
        "测试复现了：应为 48.00，实际 96.00。改成按订单计费：首重只收一次，续重按整单重量计算。",
        "Reproduced: 96.00 instead of 48.00. I charge by the order: one base fee, further kilograms by the weight of the whole order.",
        edit("papercrane/shipping.py", _OLD_QUOTE, _NEW_QUOTE),
        edit(
            "papercrane/checkout.py", "parcels = quote_parcels(basket, province, carrier)", "quote = quote_order(basket, province, carrier)"
        ),
        edit("papercrane/checkout.py", 'sum((parcel.fee for parcel in parcels), Decimal("0.00"))', "quote.fee"),
    )
    story.work(
        "改完再跑全部检查。",
        "Now all checks.",
        run(
            "make check",
            "ruff check .\npapercrane/shipping.py:6:1: F401 `dataclasses.field` imported but unused\nFound 1 error.\nexit code 1",
        ),
    )
    story.work(
        "只是多了一个没用到的导入，删掉后重跑。",
        "One import is unused; I remove it and run them again.",
        edit("papercrane/shipping.py", "from dataclasses import dataclass, field", "from dataclasses import dataclass"),
        run("make test", outputs.passing_tests(2, 165)),
        run("make check", "ruff check .\nAll checks passed!\nexit code 0"),
        read("papercrane/shipping.py", _SHIPPING_AFTER),
    )
    story.answer(
        "修好了。原因：2.14.0 为了保价，把货值超过 500 元的订单拆成两个包裹（`SPLIT_GOODS_OVER = 500.00`），而运费按包裹收取，于是首重费收了两次。\n"
        "现在 `quote_order` 按订单计费：首重一次，续重按整单重量。决定：不取消拆包，因为保险公司每个包裹最多赔 500 元；也不在结账页去重，"
        "那样只是把错误藏起来。`make test` 和 `make check` 通过（165 个测试），提交 3be91d7。migrations/ 没有动，没有新依赖，没有部署。",
        "Fixed. Cause: release 2.14.0 splits orders over 500 yuan into two parcels for insurance (`SPLIT_GOODS_OVER = 500.00`), and shipping was "
        "charged by parcel, so the base fee came twice.\n`quote_order` now charges by the order: one base fee, further kilograms by the weight of the "
        "whole order. Decision: the split stays, because the insurer pays at most 500 yuan a parcel; and nothing is deduplicated in checkout, which "
        "would only hide the fault. `make test` and `make check` pass (165 tests), commit 3be91d7. migrations/ is untouched, no new dependency, nothing deployed.",
    )


def fix_the_payment_webhook(story: Story) -> None:
    """Tell the second turn: the gateway delivers an event twice, and the user sets new limits."""
    story.ask(
        "客服说同一笔付款偶尔会被记两次。查一下 webhook 的日志和代码。注意：网关超时改成 8 秒，重试最多 3 次（之前的 5 次太多了），不要引入 Redis。",
        "Support says that a payment is sometimes booked twice. Look at the webhook's log and code. Note: set the gateway's timeout to 8 seconds and "
        "retry at most 3 times (5 was too many), and do not bring in Redis.",
    )
    story.work(
        "读 webhook 代码，同时看付款服务最近的日志。",
        "I read the webhook and the recent log of the payment service.",
        read("papercrane/webhooks.py", workspace.WEBHOOKS),
        run(
            "journalctl -u papercrane-hooks --since 2026-03-11 | tail -n 260",
            outputs.service_log(
                21,
                260,
                (
                    "2026-03-11T08:12:40Z WARN papercrane.hooks event=evt_7f31c0 order_no=PC-20260311-0457 delivery=1 timeout after 30.0 s",
                    "2026-03-11T08:13:12Z WARN papercrane.hooks event=evt_7f31c0 order_no=PC-20260311-0457 delivery=2 paid twice",
                ),
            ),
        ),
        thought="Delivery 2 came 32 s after delivery 1: the gateway gives up at 30 s and sends again while the first is still running.",
    )
    story.work(
        "网关 30 秒收不到应答就重发，而第一次处理还没结束，于是记了两次。先看数据库里有没有可用的唯一键。",
        "The gateway sends again after 30 seconds while the first delivery is still at work. Is there a unique key we can use?",
        read("migrations/0041_payment_event.sql", "create table payment_event (\n  id bigserial primary key,\n  order_no text not null,\n"
             "  event_id text not null unique,\n  received_at timestamptz not null default now()\n);"),
        search("payment_events", outputs.search_hits("payment_events.c.event_id", 40)),
    )  # fmt: skip
    story.work(
        "`payment_event.event_id` 已经是唯一键，不用改表。先写测试。",
        "`payment_event.event_id` is unique already, so no table changes. The test first.",
        run("make test", outputs.failing_tests(3, "tests/test_webhooks.py::test_the_same_event_is_booked_once", _WEBHOOK_FAILURE)),
    )
    story.work(
        "先占用事件编号，再处理；同时改超时和重试次数。",
        "The event id is claimed before the work; timeout and retries change with it.",
        edit(
            "papercrane/webhooks.py",
            '    order = await Order.load(session, event["order_no"])\n',
            _NEW_WEBHOOK + '    order = await Order.load(session, event["order_no"])\n',
        ),
        edit("papercrane/webhooks.py", "GATEWAY_TIMEOUT_SECONDS = 30\nMAX_RETRIES = 5", "GATEWAY_TIMEOUT_SECONDS = 8\nMAX_RETRIES = 3"),
        run("make test", outputs.passing_tests(4, 167)),
        run("make check", "ruff check .\nAll checks passed!\nexit code 0"),
        read("papercrane/carriers.py", outputs.rate_table()),
    )
    story.answer(
        "付款不会再记两次了。webhook 先用 `insert ... on conflict do nothing` 占用 `event_id`，占不到就直接返回。超时 8 秒，最多重试 3 次。\n"
        "决定：用已有的 `payment_event` 唯一键，不用 Redis，因为不需要新的服务，而且和付款在同一个事务里。`make test` 和 `make check` 通过（167 个测试），提交 c04d2aa。",
        "A payment is booked once now: the webhook claims `event_id` with `insert ... on conflict do nothing` and returns when it is taken. Timeout 8 "
        "seconds, at most 3 retries.\nDecision: the existing unique key of `payment_event`, not Redis, because it needs no new service and stands in "
        "the same transaction as the payment. `make test` and `make check` pass (167 tests), commit c04d2aa.",
    )
