"""Which answers are asked for again, and when."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

# With these the API has done nothing, or asks by itself to come again.
ALWAYS = ("RATE_LIMITED", "SERVICE_UNAVAILABLE", "IDEMPOTENCY_IN_PROGRESS")
# Of a proxy, or of a process that died: the request may have been carried out.
UNLESS_DONE = (408, 500, 502, 503, 504)


@dataclass(frozen=True)
class Retries:
    # The first one included; 1 never repeats.
    attempts: int = 4
    # Wait before the second attempt; doubled for each further one, and shortened by up to a half at random.
    base_s: float = 0.5
    # An answer that asks for a longer wait is raised instead.
    most_s: float = 60.0

    def backoff_s(self, attempt: int) -> float:
        """After the attempt with this number, from 1."""
        return min(self.most_s, self.base_s * 2.0 ** (attempt - 1)) * (1 - random.random() / 2)


def is_retried(status: int | None, code: str | None, is_safe: bool) -> bool:
    """`is_safe`: carried out twice it does no more than once. Without a status no answer came."""
    if status is None:
        return is_safe
    return code in ALWAYS or status == 429 or (is_safe and status in UNLESS_DONE)


def retry_after_s(header: str | None) -> float | None:
    """Of a Retry-After, in seconds or as a date; None where it is neither."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
