"""The live transcript of a call, from the `live_captions_url` of a dispatch. It needs no API key."""

from __future__ import annotations

import json
import time
import urllib.parse
from collections.abc import Callable, Iterator

from .errors import ConnectionFailed
from .generated import CaptionFrame
from .retries import Retries
from .websocket import WebSocket, WebSocketClosed

CALL_IS_OVER = 1000


def captions(
    address: str,
    *,
    after: int | None = None,
    retries: Retries = Retries(),
    timeout_s: float = 60.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[CaptionFrame]:
    """Yields the frames of a call until the call is over.

    Reopens a lost connection after the last segment, so each final segment comes once, but interim ones can be missing. Raises
    `ConnectionFailed` when the URL is rejected or unreachable. The server pings every 20 s, so a connection without data for `timeout_s`
    is considered lost.
    """
    failures = 0
    while True:
        closed: WebSocketClosed | OSError
        try:
            with WebSocket(_at_segment(address, after), timeout_s) as socket:
                for text in socket:
                    frame: CaptionFrame = json.loads(text)
                    failures = 0
                    after = _last_seq(frame, after)
                    yield frame
                    if frame["type"] == "call_ended":
                        return
        except (WebSocketClosed, OSError) as cause:
            closed = cause
        if isinstance(closed, WebSocketClosed) and closed.code == CALL_IS_OVER:
            return
        failures += 1
        if failures >= retries.attempts:
            raise ConnectionFailed(f"the captions closed: {closed}") from closed
        sleep(retries.backoff_s(failures))


def _at_segment(address: str, after: int | None) -> str:
    if after is None:
        return address
    parts = urllib.parse.urlsplit(address)
    query = [pair for pair in urllib.parse.parse_qsl(parts.query) if pair[0] != "after"]
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode([*query, ("after", after)])))


def _last_seq(frame: CaptionFrame, known: int | None) -> int | None:
    if frame["type"] == "history":
        return frame["segments"][-1]["seq"] if frame["segments"] else known
    if frame["type"] == "transcript" and frame["segment"]["seq"] is not None:
        return frame["segment"]["seq"]
    return known
