"""OpenAI's HTTP interface for speech recognition and synthesis, on top of the given models."""

import io
import json
import sys
import threading
import time
import wave
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Protocol

MAX_BODY_BYTES = 32 * 1024 * 1024
MAX_INPUT_CHARACTERS = 4_096
SPEECH_RATE = 24_000


class Refusal(Exception):
    """The server rejects the request; `param` is the invalid field."""

    def __init__(self, status: int, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.param = status, message, param


class Recogniser(Protocol):
    id: str

    def transcribe(self, audio: bytes, language: str | None, prompt: str | None) -> str: ...


class Voice(Protocol):
    id: str

    def speak(self, text: str, speed: float) -> bytes: ...


class SpeechServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], recogniser: Recogniser, voice: Voice) -> None:
        super().__init__(address, Handler)
        self.recogniser, self.voice = recogniser, voice
        self.log_lock = threading.Lock()

    def log(self, **fields: Any) -> None:
        """Prints one line of JSON, never anything a caller said."""
        with self.log_lock:
            print(json.dumps(fields), file=sys.stdout, flush=True)


class Handler(BaseHTTPRequestHandler):
    server: SpeechServer
    protocol_version = "HTTP/1.1"
    # Sends headers and body at once in one packet. With Nagle's algorithm, a client that delays its acknowledgement waits 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._serve({"/health": self._health, "/v1/models": self._models})

    def do_POST(self) -> None:
        self._serve({"/v1/audio/transcriptions": self._transcribe, "/v1/audio/speech": self._speak})

    def _serve(self, routes: dict[str, Callable[[], None]]) -> None:
        try:
            self.body = self._read_body()
            route = routes.get(self.path.split("?")[0])
            if route is None:
                raise Refusal(404, f"{self.command} {self.path} doesn't exist.")
            route()
        except Refusal as refusal:
            error = {"message": refusal.message, "type": "invalid_request_error", "param": refusal.param, "code": None}
            self._json({"error": error}, refusal.status)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _read_body(self) -> bytes:
        text = self.headers.get("Content-Length", "0")
        length = int(text) if text.isascii() and text.isdigit() else -1
        if "Transfer-Encoding" in self.headers or not 0 <= length <= MAX_BODY_BYTES:
            # The connection must close, because the rest of the body would be read as the next request.
            self.close_connection = True
            raise Refusal(413, f"The body must have a Content-Length of at most {MAX_BODY_BYTES} bytes.")
        return self.rfile.read(length)

    def _health(self) -> None:
        self._json({"status": "ok"})

    def _models(self) -> None:
        ids = [self.server.recogniser.id, self.server.voice.id]
        models = [{"id": each, "object": "model", "created": 0, "owned_by": "local"} for each in ids]
        self._json({"object": "list", "data": models})

    def _transcribe(self) -> None:
        fields, files = read_form(self.headers.get("Content-Type", ""), self.body)
        if "file" not in files:
            raise Refusal(400, "`file` is missing.", "file")
        wanted = fields.get("response_format", "json")
        if wanted not in ("json", "text"):
            raise Refusal(400, "`response_format` must be json or text.", "response_format")
        started = time.time()
        language = fields.get("language", "").lower().split("-")[0]
        text = self.server.recogniser.transcribe(files["file"], language or None, fields.get("prompt") or None)
        self._log_work("recognition", started)
        if wanted == "text":
            self._send(200, "text/plain; charset=utf-8", text.encode())
        else:
            self._json({"text": text})

    def _speak(self) -> None:
        request = self._read_json()
        text = request.get("input")
        if not isinstance(text, str) or not 0 < len(text) <= MAX_INPUT_CHARACTERS:
            raise Refusal(400, f"`input` must be a string of 1 to {MAX_INPUT_CHARACTERS} characters.", "input")
        speed = request.get("speed", 1)
        if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0.25 <= speed <= 4:
            raise Refusal(400, "`speed` must be a number between 0.25 and 4.", "speed")
        # OpenAI's default is MP3, which needs an encoder.
        wanted = request.get("response_format", "wav")
        if wanted not in ("pcm", "wav"):
            raise Refusal(400, "`response_format` must be pcm or wav.", "response_format")
        started = time.time()
        samples = self.server.voice.speak(text, float(speed))
        self._log_work("voice", started)
        if wanted == "pcm":
            self._send(200, "audio/pcm", samples)
        else:
            self._send(200, "audio/wav", wav_of(samples))

    def _log_work(self, part: str, started: float) -> None:
        self.server.log(part=part, from_ms=round(started * 1000), ms=round((time.time() - started) * 1000))

    def _read_json(self) -> dict[str, Any]:
        try:
            read = json.loads(self.body)
        except ValueError as error:
            raise Refusal(400, "The body must be JSON.") from error
        if not isinstance(read, dict):
            raise Refusal(400, "The body must be a JSON object.")
        return read

    def _json(self, body: dict[str, Any], status: int = 200) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Does nothing, because the server writes its own log."""


def read_form(content_type: str, body: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    """Returns fields and files by name. The last one wins if a name is repeated."""
    if not content_type.lower().startswith("multipart/form-data"):
        raise Refusal(400, "The body must be multipart/form-data.")
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise Refusal(400, "The form has no boundary, or no part.")
    fields: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        if not isinstance(name, str):
            continue
        content = part.get_payload(decode=True) or b""
        if part.get_filename() is None:
            fields[name] = content.decode("utf-8", "replace")
        else:
            files[name] = content
    return fields, files


def wav_of(samples: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(SPEECH_RATE)
        out.writeframes(samples)
    return file.getvalue()
