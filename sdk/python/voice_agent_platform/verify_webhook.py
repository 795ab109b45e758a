from __future__ import annotations

import base64, hashlib, hmac, json, re, time
from collections.abc import Mapping, Sequence

def verify_webhook(
    headers: Mapping[str, str], body: bytes, secrets: Sequence[str], now: float | None = None
) -> str | None:
    """Returns the event id, or None if the request is not signed by the platform. headers: a dict with lower-case names; body: the raw bytes."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return None
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return None
    if headers.get("x-service-event-id", event_id) != event_id:
        return None
    given = headers.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        if len(key) < 16:
            continue
        digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(expected, one.encode()) for one in given):
            return event_id
    return None
