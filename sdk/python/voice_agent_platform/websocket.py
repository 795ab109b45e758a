"""Minimal WebSocket client (RFC 6455) that reads text messages and answers pings. Python's standard library has none."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import ssl
import struct
import urllib.parse
from collections.abc import Iterator

ACCEPT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, CLOSE, PING = 0, 1, 8, 9
# Far more than any caption needs.
MAX_BYTES = 16 * 1024 * 1024


class WebSocketClosed(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code


class WebSocket:
    """Iterating yields the received texts and finally raises `WebSocketClosed`, with code 1006 if the connection broke."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._parts = urllib.parse.urlsplit(address)
        self._timeout_s = timeout_s

    def __enter__(self) -> WebSocket:
        host = self._parts.hostname or ""
        is_secure = self._parts.scheme in ("wss", "https")
        port = self._parts.port or (443 if is_secure else 80)
        plain = socket.create_connection((host, port), self._timeout_s)
        try:
            self._socket = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if is_secure else plain
            self._stream = self._socket.makefile("rb")
            self._shake_hands()
        except BaseException:
            plain.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._socket.close()

    def __iter__(self) -> Iterator[str]:
        message = b""
        while True:
            is_last, kind, content = self._frame()
            if kind == PING:
                self._send(0x8A, content)
            elif kind == CLOSE:
                self._send(0x88, content[:2])
                code = struct.unpack("!H", content[:2])[0] if len(content) >= 2 else 1005
                raise WebSocketClosed(code, content[2:].decode("utf-8", "replace"))
            elif kind in (TEXT, CONTINUATION):
                message += content
                if is_last:
                    yield message.decode()
                    message = b""

    def _shake_hands(self) -> None:
        key = base64.b64encode(os.urandom(16))
        target = self._parts.path + (f"?{self._parts.query}" if self._parts.query else "")
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {self._parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key.decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        status = self._stream.readline().decode("latin-1").strip()
        headers = {}
        while (line := self._stream.readline().decode("latin-1").strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        expected = base64.b64encode(hashlib.sha1(key + ACCEPT).digest()).decode()
        if " 101 " not in f"{status} " or headers.get("sec-websocket-accept") != expected:
            raise WebSocketClosed(1006, status)

    def _frame(self) -> tuple[bool, int, bytes]:
        first, second = self._exactly(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack("!H", self._exactly(2))[0]
        elif length == 127:
            length = struct.unpack("!Q", self._exactly(8))[0]
        if length > MAX_BYTES:
            raise WebSocketClosed(1009, "too large")
        return first & 0x80 != 0, first & 0x0F, self._exactly(length)

    def _exactly(self, length: int) -> bytes:
        content = self._stream.read(length)
        if len(content) < length:
            raise WebSocketClosed(1006, "the connection was lost")
        return content

    def _send(self, head: int, content: bytes) -> None:
        """Sends a control frame of at most 125 bytes. Frames from a client are masked."""
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(content))
        self._socket.sendall(bytes([head, 0x80 | len(content)]) + mask + masked)
