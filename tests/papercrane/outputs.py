"""Long tool outputs for the demo: a rate table, test reports, logs, tables of orders. Same seed, same text, every time."""

from datetime import datetime, timedelta
from random import Random

from tests.papercrane.workspace import CARRIERS, PROVINCES

FILES = (
    ".env.example CHANGELOG.md Makefile README.md docs/architecture.md docs/refunds.md migrations/0041_payment_event.sql "
    "migrations/0042_refund_batch.sql ops/deploy.yaml ops/logrotate.d/papercrane ops/prometheus/alerts.yaml papercrane/__init__.py "
    "papercrane/baskets.py papercrane/carriers.py papercrane/checkout.py papercrane/gateway.py papercrane/metrics.py papercrane/orders.py "
    "papercrane/shipping.py papercrane/storage.py papercrane/taxes.py papercrane/telemetry.py papercrane/webhooks.py scripts/refund_batch.py "
    "tests/test_baskets.py tests/test_checkout.py tests/test_refund_batch.py tests/test_shipping.py tests/test_taxes.py tests/test_webhooks.py"
).split()

REFUSED_ORDERS = ("PC-20260312-0093", "PC-20260314-0218", "PC-20260316-0371")

_START = datetime(2026, 3, 11, 8, 0, 0)


def file_listing() -> str:
    """Return the listing of the workspace with sizes in bytes."""
    sizes = Random(7)
    return "\n".join(f"{sizes.randrange(180, 24_000):>7}  {path}" for path in FILES)


def rate_table() -> str:
    """Return `papercrane/carriers.py`: one rate for every province and carrier."""
    prices = Random(11)
    rows = [
        f'    "{province}": {{'
        + ", ".join(
            f'"{carrier}": Rate("{prices.randrange(800, 4_800) / 100:.2f}", "{prices.randrange(100, 900) / 100:.2f}")'
            for carrier in CARRIERS
        )
        + "},"
        for province in PROVINCES
    ]
    head = '"""What each carrier charges: base fee, then fee per further kilogram, in yuan."""\n\nfrom papercrane.rates import Rate\n\nRATES = {\n'
    return head + "\n".join(rows) + "\n}\n"


def search_hits(pattern: str, count: int) -> str:
    """Return `count` lines of a search for `pattern`, as `file:line: text`."""
    places = Random(f"search {pattern}")
    modules = [path for path in FILES if path.endswith(".py")]
    return "\n".join(
        f"{places.choice(modules)}:{places.randrange(1, 400)}:     "
        f"{places.choice(('assert', 'return', 'total +=', 'log.info(', 'expected ='))} {pattern}  # case {places.randrange(10_000)}"
        for _ in range(count)
    )


def failing_tests(seed: int, failed: str, explanation: str) -> str:
    """Return a verbose test report in which `failed` fails with `explanation`."""
    lines = [*_test_lines(seed), f"{failed} FAILED", "", "=" * 30 + " FAILURES " + "=" * 30, explanation]
    return "\n".join([*lines, f"FAILED {failed}", "1 failed, 164 passed in 21.84s", "exit code 1"])


def passing_tests(seed: int, count: int) -> str:
    """Return a verbose test report in which `count` tests pass."""
    return "\n".join([*_test_lines(seed), "", f"{count} passed in 20.37s", "exit code 0"])


def service_log(seed: int, lines: int, special: tuple[str, ...] = ()) -> str:
    """Return `lines` lines of the service's log; the lines of `special` stand spread between them."""
    events = Random(seed)
    entries = [_log_line(events, _START + timedelta(seconds=17 * number)) for number in range(lines)]
    for number, line in enumerate(special):
        entries.insert((number + 1) * lines // (len(special) + 1), line)
    return "\n".join(entries)


def affected_orders() -> str:
    """Return the 42 orders that paid 48.00 yuan of shipping twice, as CSV."""
    rows = ["order_no,paid_at,province,carrier,goods,shipping_charged,amount"]
    buyers = Random(42)
    numbers = ["PC-20260311-0457", *REFUSED_ORDERS]
    numbers += [f"PC-202603{11 + number // 6}-{buyers.randrange(1_000, 9_999):04}" for number in range(38)]
    for number in sorted(numbers):
        paid = f"{number[3:7]}-{number[7:9]}-{number[9:11]}T{buyers.randrange(8, 22):02}:{buyers.randrange(60):02}:00+08:00"
        goods = buyers.randrange(50_100, 79_900) / 100
        rows.append(f"{number},{paid},{buyers.choice(PROVINCES)},{buyers.choice(CARRIERS)},{goods:.2f},96.00,48.00")
    return "\n".join([*rows, "(42 rows)"])


def refund_report(*, dry_run: bool) -> str:
    """Return what the refund script prints for those orders."""
    verb = "would refund" if dry_run else "refunded"
    numbers = [row.split(",")[0] for row in affected_orders().splitlines()[1:-1]]
    lines = [f"{verb} {number} 48.00 CNY batch=RB-0319" for number in numbers if dry_run or number not in REFUSED_ORDERS]
    if dry_run:
        return "\n".join([*lines, "dry run: 42 orders, 2016.00 CNY", "exit code 0"])
    refused = [f"REFUSED {number}: account closed by the bank (code 4713)" for number in REFUSED_ORDERS]
    return "\n".join([*lines, *refused, "39 refunded, 3 refused, 1872.00 CNY", "exit code 1"])


def disk_usage() -> str:
    """Return the table of a full disk, largest folders first."""
    sizes = Random(97)
    folders = sorted((sizes.randrange(4, 900) for _ in range(60)), reverse=True)
    rows = [f"{size:>6}M  /var/log/papercrane/worker-{number:02}" for number, size in enumerate(folders)]
    head = "Filesystem  Size  Used Avail Use% Mounted on\n/dev/vdb1    40G   40G     0 100% /var/log\n"
    return head + "\n".join(rows)


def _test_lines(seed: int) -> list[str]:
    cases = Random(seed)
    return [
        f"tests/test_{('shipping', 'checkout', 'webhooks', 'taxes')[number % 4]}.py::"
        f"test_{cases.choice(PROVINCES).lower()}_{cases.choice(CARRIERS)}_{cases.randrange(200, 40_000)}_grams PASSED [{number * 100 // 164:>3}%]"
        for number in range(164)
    ]


def _log_line(events: Random, moment: datetime) -> str:
    path = events.choice(("/api/quote", "/api/checkout", "/api/orders", "/hooks/payment", "/healthz"))
    status = events.choice((200, 200, 200, 201, 204, 304))
    return (
        f"{moment.isoformat()}Z INFO papercrane.http request_id={events.randrange(16**8):08x} method=POST path={path} "
        f"status={status} ms={events.randrange(3, 420)} province={events.choice(PROVINCES)}"
    )
