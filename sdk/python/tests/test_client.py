"""Tests the client with responses that the real API rarely gives."""

import base64
import email.message
import hashlib
import io
import json
import socket
import threading
import unittest
import urllib.error
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from voice_agent_platform import ApiError, CampaignRefused, Client, ConnectionFailed, InputError, Retries, captions, websocket
from voice_agent_platform.generated import REQUESTS

DISPATCH = {"agent_id": "a", "contact_number": "+919876543210", "name": "Asha"}
LOST = ConnectionResetError("lost")


def refusal(status, body, **headers):
    message = email.message.Message()
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    text = body if isinstance(body, str) else json.dumps(body)
    return urllib.error.HTTPError("", status, "", message, io.BytesIO(text.encode()))


def detail(status, code, **headers):
    return refusal(status, {"detail": {"code": code, "message": "No"}}, X_Request_Id="r-1", **headers)


class Server:
    """Returns the listed responses in order, and records the requests and waits."""

    def __init__(self, *answers, **options):
        self.answers = list(answers)
        self.asked = []
        self.waits = []
        options = {"retries": Retries(), **options}
        self.client = Client(
            "https://calls.example.test/", "vap_key", open_url=self.open_url, sleep=self.waits.append, **options
        )

    def open_url(self, request, timeout):
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return io.BytesIO(json.dumps(answer).encode())

    def keys(self):
        return [request.get_header("Idempotency-key") for request in self.asked]


class Requests(unittest.TestCase):
    def test_sends_a_request_as_documented(self):
        server = Server({}, {})
        server.client.get(
            "/api/campaigns/{campaign_id}/contacts", path={"campaign_id": "a/b"}, query={"page": 2, "state": "pending"}
        )
        server.client.post("/api/create-agent", body={"agent_display_name": "Reminder"})
        first, second = server.asked
        self.assertEqual(first.full_url, "https://calls.example.test/api/campaigns/a%2Fb/contacts?page=2&state=pending")
        self.assertEqual((first.method, first.get_header("X-api-key")), ("GET", "vap_key"))
        self.assertEqual(second.data, b'{"agent_display_name": "Reminder"}')
        self.assertEqual(second.get_header("Content-type"), "application/json")
        self.assertEqual(server.keys(), [None, None])

    def test_does_not_send_a_request_without_the_values_that_its_path_needs(self):
        server = Server()
        with self.assertRaisesRegex(ValueError, "needs agent_id"):
            server.client.get("/api/agent/{agent_id}", path={"agent_id": ""})
        self.assertEqual(server.asked, [])

    def test_sends_a_file_with_its_name_and_its_bytes(self):
        with TemporaryDirectory() as folder:
            path = Path(folder, "november.csv")
            path.write_bytes(b"name\r\n\xe0\xa4\x86")
            for file in (path, ("november.csv", path.read_bytes())):
                server = Server({})
                server.client.post("/api/campaigns/simulate", body={"csv_file": file, "concurrency": 2})
                (request,) = server.asked
                self.assertIn(b'name="csv_file"; filename="november.csv"', request.data)
                self.assertIn(b"\r\n\r\nname\r\n\xe0\xa4\x86\r\n--", request.data)
                self.assertIn(b'name="concurrency"\r\n\r\n2\r\n', request.data)

    def test_uses_a_new_idempotency_key_for_each_call_shared_by_its_attempts(self):
        keyed = [name for name, traits in REQUESTS.items() if traits.get("idempotencyKey")]
        self.assertEqual(
            keyed,
            [
                "post /api/trigger-call/",
                "post /api/campaigns/create",
                "post /api/campaigns/{campaign_id}/contacts",
                "post /api/contact-lists/{list_id}/contacts",
            ],
        )
        server = Server(LOST, {}, {}, {})
        server.client.post("/api/trigger-call/", body=DISPATCH)
        server.client.post("/api/trigger-call/", body=DISPATCH)
        server.client.post("/api/trigger-call/", body=DISPATCH, idempotency_key="mine")
        first, again, second, mine = server.keys()
        self.assertEqual((first, mine), (again, "mine"))
        self.assertNotEqual(first, second)


class Repeated(unittest.TestCase):
    def test_after_the_seconds_that_the_response_names_whatever_the_method(self):
        for answer in (
            detail(429, "RATE_LIMITED", Retry_After="7"),
            detail(503, "SERVICE_UNAVAILABLE", Retry_After="7"),
        ):
            server = Server(answer, {"success": True})
            server.client.post("/api/calls/{call_id}/hangup", path={"call_id": "c"})
            self.assertEqual(server.waits, [7])

    def test_after_the_date_that_the_response_names(self):
        server = Server(detail(429, "X", Retry_After="Mon, 02 Nov 2026 05:00:07 GMT"), {})
        with patch("time.time", return_value=1793595600.0):
            server.client.get("/api/limits")
        self.assertEqual(server.waits, [7])

    def test_when_the_first_request_with_its_key_is_still_running(self):
        server = Server(LOST, detail(409, "IDEMPOTENCY_IN_PROGRESS", Retry_After="1"), {"success": True})
        self.assertEqual(server.client.post("/api/trigger-call/", body=DISPATCH), {"success": True})

    def test_when_an_idempotent_request_got_no_response_or_one_from_a_proxy(self):
        server = Server(LOST, refusal(502, "Bad gateway"), {})
        server.client.delete("/api/agent/{agent_id}", path={"agent_id": "a"})
        self.assertEqual(len(server.asked), 3)

    def test_four_times_in_all_with_each_wait_twice_as_long(self):
        server = Server(LOST, LOST, LOST, LOST)
        with patch("random.random", return_value=0), self.assertRaises(ConnectionFailed) as raised:
            server.client.get("/api/limits")
        self.assertEqual((server.waits, raised.exception.__cause__), ([0.5, 1, 2], LOST))


class Final(unittest.TestCase):
    def raised_by(self, *answers):
        server = Server(*answers)
        with self.assertRaises(Exception) as raised:
            server.client.post("/api/create-agent", body={"agent_display_name": "Reminder"})
        self.assertEqual(len(server.asked), 1)
        return raised.exception

    def test_when_it_has_no_key_and_may_have_been_carried_out(self):
        self.assertIsInstance(self.raised_by(LOST), ConnectionFailed)
        self.assertEqual(self.raised_by(detail(500, "INTERNAL_ERROR")).code, "INTERNAL_ERROR")

    def test_when_the_response_asks_for_a_longer_wait_than_the_client_allows(self):
        error = self.raised_by(detail(429, "RATE_LIMITED", Retry_After="61"))
        self.assertEqual((error.status, error.request_id), (429, "r-1"))

    def test_when_it_is_rejected_by_the_api_or_by_a_proxy(self):
        fault = {"loc": ["body", "name"], "msg": "is required", "type": "any.required"}
        faulty = self.raised_by(refusal(422, {"detail": [fault]}))
        self.assertIsInstance(faulty, InputError)
        self.assertEqual((faulty.faults, str(faulty)), ([fault], "body.name: is required"))
        answer = {"status_code": 400, "code": "NO_CONTACTS", "message": "None", "details": []}
        refused = self.raised_by(refusal(400, answer))
        self.assertIsInstance(refused, CampaignRefused)
        self.assertEqual((refused.code, refused.answer), ("NO_CONTACTS", answer))
        self.assertEqual(self.raised_by(detail(404, "AGENT_NOT_FOUND")).code, "AGENT_NOT_FOUND")
        of_proxy = self.raised_by(refusal(403, "<html>"))
        self.assertIsInstance(of_proxy, ApiError)
        self.assertEqual((of_proxy.code, of_proxy.body), ("HTTP_403", "<html>"))


class Captions(unittest.TestCase):
    def listen(self, *scripts, **options):
        """Each script is a connection: `refused`, or the frames to send. Returns the request lines and the received frames."""
        lines, came, pongs = [], [], []

        def serve(server):
            for script in scripts:
                connection, _address = server.accept()
                with connection, connection.makefile("rb") as stream:
                    lines.append(stream.readline().decode().split(" ")[1])
                    key = next(line for line in stream if line.startswith(b"Sec-WebSocket-Key")).split()[1]
                    while stream.readline() != b"\r\n":
                        pass
                    if script == "refused":
                        connection.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
                        continue
                    accept = base64.b64encode(hashlib.sha1(key + websocket.ACCEPT).digest())
                    connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: %b\r\n\r\n" % accept)
                    for head, content in script:
                        connection.sendall(bytes([head, *self.length_of(content)]) + content)
                        if head == 0x89:
                            pongs.append(stream.read(6 + len(content))[:2])

        with socket.create_server(("127.0.0.1", 0)) as server:
            serving = threading.Thread(target=serve, args=(server,))
            serving.start()
            try:
                address = f"ws://127.0.0.1:{server.getsockname()[1]}/api/live-transcripts/ws/t/c"
                came.extend(captions(address, sleep=lambda _s: None, **options))
            finally:
                serving.join()
        self.pongs = pongs
        return lines, came

    @staticmethod
    def length_of(content):
        if len(content) < 126:
            return [len(content)]
        return [126, *len(content).to_bytes(2)] if len(content) < 65536 else [127, *len(content).to_bytes(8)]

    def test_reopens_a_lost_connection_after_the_last_segment(self):
        history = {"type": "history", "segments": [{"seq": 4, "text": "a" * 70_000}]}
        said = {"type": "transcript", "segment": {"seq": 5, "text": "b" * 200}}
        interim = {"type": "transcript", "segment": {"seq": None, "text": "c"}}
        frames = [json.dumps(frame).encode() for frame in (history, said, interim, {"type": "call_ended"})]
        lines, came = self.listen(
            [(0x81, frames[0])],
            [(0x89, b"are you there"), (0x01, frames[1][:100]), (0x80, frames[1][100:]), (0x81, frames[2])],
            [(0x88, (1012).to_bytes(2) + b"restart")],
            [(0x81, frames[3])],
        )
        path = "/api/live-transcripts/ws/t/c"
        self.assertEqual(lines, [path, f"{path}?after=4", f"{path}?after=5", f"{path}?after=5"])
        self.assertEqual(self.pongs, [b"\x8a\x8d"])
        self.assertEqual(came, [history, said, interim, {"type": "call_ended"}])

    def test_does_not_reconnect_to_a_call_that_is_over(self):
        lines, came = self.listen([(0x88, (1000).to_bytes(2))])
        self.assertEqual((len(lines), came), (1, []))

    def test_gives_up_a_rejected_address_after_its_attempts(self):
        with self.assertRaisesRegex(ConnectionFailed, "401"):
            self.listen("refused", "refused", retries=Retries(attempts=2))


if __name__ == "__main__":
    unittest.main()
