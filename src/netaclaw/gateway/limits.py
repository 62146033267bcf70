"""How much one browser may ask of the server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GatewayLimits:
    """Limits of sockets and requests."""

    max_frame_bytes: int = 16_000_000
    """Largest frame or request body that is read."""
    send_timeout_seconds: float = 10.0
    """A browser that takes no frame for so long is cut off."""
    max_subscriptions: int = 100
    """Sessions that one socket may hear of."""
