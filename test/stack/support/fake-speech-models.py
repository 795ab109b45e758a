"""Local speech server with fake models that return their input: `PYTHONPATH=dev/local-models/python python fake-speech-models.py`."""

from http_api import Refusal, SpeechServer


class Recogniser:
    id = "ears"

    def transcribe(self, audio, language, prompt):
        if language == "hi":
            raise Refusal(400, "ears understands English only, not hi.", "language")
        return f"{len(audio)} bytes, {language}, {prompt}"


class Voice:
    id = "mouth"

    def speak(self, text, speed):
        return b"\x01\x00" * int(100 * len(text) / speed)


server = SpeechServer(("127.0.0.1", 0), Recogniser(), Voice())
print(server.server_address[1], flush=True)
server.serve_forever()
