"""Decides which requests are retried, and when."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

# With these codes, the API either did nothing or wants the client to retry.
RETRYABLE_CODES = ("RATE_LIMITED", "SERVICE_UNAVAILABLE", "IDEMPOTENCY_IN_PROGRESS")
# A proxy or a failing server sends these. The API may still have carried out the request.
RETRYABLE_STATUSES = (408, 500, 502, 503, 504)


@dataclass(frozen=True)
class Retries:
    # Total number of attempts, including the first; 1 disables retries.
    attempts: int = 4
    # Wait in seconds before the second attempt. Doubles with each further attempt, minus a random part of up to half.
    base_s: float = 0.5
    # Longest wait in seconds. If a response asks for a longer one, the error is raised instead.
    max_s: float = 60.0

    def backoff_s(self, attempt: int) -> float:
        """Wait after the given attempt, counted from 1."""
        return min(self.max_s, self.base_s * 2.0 ** (attempt - 1)) * (1 - random.random() / 2)


def is_retried(status: int | None, code: str | None, is_safe: bool) -> bool:
    """`is_safe` means that repeating the request has no further effect. `status` is None when there was no response."""
    if status is None:
        return is_safe
    return code in RETRYABLE_CODES or status == 429 or (is_safe and status in RETRYABLE_STATUSES)


def retry_after_s(header: str | None) -> float | None:
    """Parses a Retry-After header, in seconds or as a date. Returns None for anything else."""
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
