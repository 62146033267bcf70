"""Files of papercrane, the invented stationery shop whose shipping bug the demo works on; written for the demo, not copied from anywhere."""

PROVINCES = (
    "Anhui Beijing Chongqing Fujian Gansu Guangdong Guangxi Guizhou Hainan Hebei Heilongjiang Henan Hubei Hunan Jiangsu Jiangxi "
    "Jilin Liaoning Neimenggu Ningxia Qinghai Shaanxi Shandong Shanghai Shanxi Sichuan Tianjin Xinjiang Xizang Yunnan Zhejiang"
).split()

CARRIERS = ("egret", "ferry", "lantern", "meadow", "sparrow", "willow")

CHECKOUT = '''\
"""Turns a basket into an order total."""

from dataclasses import dataclass
from decimal import Decimal

from papercrane.baskets import Basket
from papercrane.shipping import quote_parcels
from papercrane.taxes import tax_for

FREE_SHIPPING_OVER = Decimal("800.00")


@dataclass(frozen=True)
class OrderTotal:
    goods: Decimal
    shipping: Decimal
    tax: Decimal

    @property
    def payable(self) -> Decimal:
        return self.goods + self.shipping + self.tax


def total_for(basket: Basket, province: str, carrier: str) -> OrderTotal:
    goods = sum((line.price * line.quantity for line in basket.lines), Decimal("0.00"))
    parcels = quote_parcels(basket, province, carrier)
    shipping = sum((parcel.fee for parcel in parcels), Decimal("0.00"))
    if goods > FREE_SHIPPING_OVER:
        shipping = Decimal("0.00")
    return OrderTotal(goods, shipping, tax_for(goods, province))
'''

SHIPPING = '''\
"""Splits a basket into parcels and quotes each of them."""

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from papercrane.baskets import Basket
from papercrane.carriers import RATES

MAX_PARCEL_GRAMS = 20_000
SPLIT_GOODS_OVER = Decimal("500.00")  # insurers pay at most this much for one parcel


@dataclass(frozen=True)
class Parcel:
    grams: int
    fee: Decimal


def quote_parcels(basket: Basket, province: str, carrier: str) -> list[Parcel]:
    rate = RATES[province][carrier]
    count = parcel_count(basket)
    grams = basket.grams // count
    fee = rate.base + rate.per_kilo * max(0, ceil(grams / 1000) - 1)
    return [Parcel(grams, fee) for _ in range(count)]


def parcel_count(basket: Basket) -> int:
    by_weight = ceil(basket.grams / MAX_PARCEL_GRAMS)
    by_value = ceil(basket.value / SPLIT_GOODS_OVER)
    return max(1, by_weight, by_value)
'''

WEBHOOKS = '''\
"""Receives what the payment gateway says about an order."""

import httpx

from papercrane.orders import Order, mark_paid
from papercrane.storage import Session, payment_events

GATEWAY_TIMEOUT_SECONDS = 30
MAX_RETRIES = 5


async def on_payment(session: Session, event: dict[str, str]) -> None:
    order = await Order.load(session, event["order_no"])
    receipt = await fetch_receipt(event["receipt_url"])
    await mark_paid(session, order, receipt.amount)
    await session.execute(payment_events.insert().values(order_no=order.number, event_id=event["id"]))


async def fetch_receipt(url: str) -> "Receipt":
    for attempt in range(MAX_RETRIES):
        try:
            async with httpx.AsyncClient(timeout=GATEWAY_TIMEOUT_SECONDS) as client:
                return Receipt.parse((await client.get(url)).text)
        except httpx.TransportError:
            if attempt == MAX_RETRIES - 1:
                raise
    raise AssertionError("unreachable")
'''

REFUND_BATCH = '''\
"""Refunds a list of orders; always run it with --dry-run first."""

import argparse
import csv
from decimal import Decimal

from papercrane.gateway import Gateway, RefundRefused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("orders", help="CSV with order_no and amount")
    parser.add_argument("--batch", required=True, help="batch number, such as RB-0001")
    parser.add_argument("--dry-run", action="store_true")
    args = parser.parse_args()
    gateway, refused = Gateway.from_environment(), []
    for row in csv.DictReader(open(args.orders, encoding="utf-8")):
        try:
            gateway.refund(row["order_no"], Decimal(row["amount"]), batch=args.batch, dry_run=args.dry_run)
        except RefundRefused as error:
            refused.append((row["order_no"], str(error)))
    for number, reason in refused:
        print(f"REFUSED {number}: {reason}")
    return 1 if refused else 0


if __name__ == "__main__":
    raise SystemExit(main())
'''

METRICS = '''\
"""Counters that the dashboard reads; one module, so that names are never invented twice."""

from papercrane.telemetry import Counter, Histogram

orders_total = Counter("papercrane_orders_total", "Orders that were placed", labels=("province",))
payments_total = Counter("papercrane_payments_total", "Payments that the gateway confirmed", labels=("outcome",))
refunds_total = Counter("papercrane_refunds_total", "Refunds that were sent", labels=("batch", "outcome"))
quote_seconds = Histogram("papercrane_quote_seconds", "Time of one shipping quote", buckets=(0.005, 0.01, 0.05, 0.1, 0.5))
'''
