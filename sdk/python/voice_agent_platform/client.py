"""Client of the REST API, typed by method and path."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import ConnectionFailed, error_of
from .generated import REQUESTS, Operations
from .retries import Retries, is_retried, retry_after_s

# These methods are idempotent, so they can be retried.
IDEMPOTENT_METHODS = ("get", "put", "patch", "delete")


class Client(Operations):
    """Raises `ApiError` when the API rejects a request, and `ConnectionFailed` when there is no response.

    Requests that are safe to repeat are retried (`retries`). Dispatch and campaign create carry an idempotency key, so they take effect only once.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: Retries = Retries(),
        timeout_s: float = 30.0,
        open_url: Callable[..., HTTPResponse] = urllib.request.urlopen,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`timeout_s` limits the time without any data. `open_url` replaces `urllib.request.urlopen`."""
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._retries = retries
        self._timeout_s = timeout_s
        self._open_url = open_url
        self._sleep = sleep

    def _json(self, method: str, route: str, **options: Any) -> Any:
        return self._request(method, route, lambda response: json.loads(_read(response)), **options)

    def _download(self, route: str, **options: Any) -> HTTPResponse:
        response: HTTPResponse = self._request("get", route, lambda response: response, **options)
        return response

    def _each(self, route: str, *, query: Mapping[str, Any] | None = None, **options: Any) -> Iterator[Any]:
        """Items can repeat if the list grows while you read it."""
        page = int((query or {}).get("page", 1))
        while True:
            answer = self._json("get", route, query={**(query or {}), "page": page}, **options)
            yield from answer["data"] if "data" in answer else answer["campaigns"]
            if page >= answer["pagination"]["total_pages"]:
                return
            page += 1

    def _request(
        self,
        method: str,
        route: str,
        read: Callable[[HTTPResponse], Any],
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        traits = REQUESTS.get(f"{method} {route}", {})
        key = (idempotency_key or str(uuid.uuid4())) if traits.get("idempotencyKey") else None
        is_safe = method in IDEMPOTENT_METHODS or bool(traits.get("reads")) or key is not None
        content, content_type = _content_of(body, bool(traits.get("form")))
        request = urllib.request.Request(
            _address_of(self._base_url, route, path or {}, query or {}),
            data=content,
            method=method.upper(),
            headers={
                **({"Content-Type": content_type} if content_type else {}),
                **({"Idempotency-Key": key} if key else {}),
                **(headers or {}),
                "X-API-Key": self._api_key,
            },
        )
        attempt = 1
        while True:
            error: Exception
            try:
                return read(self._open_url(request, timeout=self._timeout_s))
            except urllib.error.HTTPError as response:
                error = error_of(response.code, response.headers.get("X-Request-Id"), _parsed(_read(response)))
                after_s = retry_after_s(response.headers.get("Retry-After"))
                is_repeated = is_retried(response.code, error.code, is_safe)
            except (OSError, HTTPException) as cause:
                error = ConnectionFailed(f"{request.method} {request.full_url} got no response")
                error.__cause__ = cause
                after_s, is_repeated = None, is_retried(None, None, is_safe)
            wait_s = self._retries.backoff_s(attempt) if after_s is None else after_s
            if not is_repeated or attempt >= self._retries.attempts or wait_s > self._retries.max_s:
                raise error
            self._sleep(wait_s)
            attempt += 1


def _read(response: Any) -> bytes:
    with response:
        return bytes(response.read())


def _parsed(content: bytes) -> Any:
    text = content.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def _address_of(base_url: str, route: str, path: Mapping[str, str], query: Mapping[str, Any]) -> str:
    def filled(match: re.Match[str]) -> str:
        value = path.get(match[1])
        if not value:
            raise ValueError(f"{route} needs {match[1]}")
        return urllib.parse.quote(value, safe="")

    texts = {name: _text_of(value) for name, value in query.items() if value is not None}
    search = f"?{urllib.parse.urlencode(texts)}" if texts else ""
    return base_url + re.sub(r"\{(\w+)\}", filled, route) + search


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _content_of(body: Mapping[str, Any] | None, is_form: bool) -> tuple[bytes | None, str | None]:
    """Returns a form if the operation accepts only forms or the body contains a file, otherwise JSON."""
    if body is None:
        return None, None
    if not is_form and not any(isinstance(value, (PathLike, tuple)) for value in body.values()):
        return json.dumps(body).encode(), "application/json"
    boundary = uuid.uuid4().hex
    parts = [_part_of(name, value) for name, value in body.items() if value is not None]
    lines = b"".join(b"--%b\r\n%b\r\n" % (boundary.encode(), part) for part in parts)
    return lines + b"--%b--\r\n" % boundary.encode(), f"multipart/form-data; boundary={boundary}"


def _part_of(name: str, value: Any) -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"'
    if isinstance(value, PathLike):
        value = (Path(value).name, Path(value).read_bytes())
    if isinstance(value, tuple):
        file_name = str(value[0]).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head += f'; filename="{file_name}"\r\nContent-Type: application/octet-stream'
        return f"{head}\r\n\r\n".encode() + bytes(value[1])
    return f"{head}\r\n\r\n{_text_of(value)}".encode()
