"""Writes the OpenAPI document to `web/schema/openapi.json`: `python -m netaclaw.gateway.schema`.

The page's types are generated from it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from netaclaw.gateway.application import build_gateway
from netaclaw.gateway.limits import GatewayLimits
from netaclaw.gateway.static import PAGE_FOLDER

TARGET = Path("web/schema/openapi.json")


def openapi_document() -> dict[str, Any]:
    """Return the document of all routes and frames, without building anything behind them."""
    return build_gateway(PAGE_FOLDER, GatewayLimits()).openapi()


def openapi_text() -> str:
    """Return the document as it stands in the file."""
    return json.dumps(openapi_document(), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def main() -> int:
    """Write the file, in the checkout that is the current folder."""
    if not TARGET.parent.parent.is_dir():
        print(f"{TARGET.parent.parent} is not here; run this in the checkout", file=sys.stderr)
        return 2
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(openapi_text(), "utf-8")
    print(TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
