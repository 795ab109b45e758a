"""Serves speech recognition and synthesis with OpenAI's interface: `python main.py --port 8790`. It listens once its models are loaded."""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

if sys.version_info < (3, 10):
    sys.exit("This program needs Python 3.10 or newer, but this is %d.%d." % sys.version_info[:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8790)
    parser.add_argument("--recogniser", help="folder or name of a faster-whisper model (default: the installed tiny.en)")
    parser.add_argument("--voice", help="path of a Piper voice, .onnx (default: the installed en_US-joe-medium)")
    parser.add_argument("--models", help="folder whose recogniser/<name>/ and voice/<name>.onnx replace the installed models")
    parser.add_argument("--threads", type=int, default=min(4, os.cpu_count() or 1), help="threads of the recogniser")
    options = parser.parse_args()
    # Lowers the priority, so that conversations on this machine don't stutter.
    os.nice(5)

    from http_api import SpeechServer
    from models import Recogniser, Voice

    recogniser = Recogniser(options.recogniser or replacing(options.models, "recogniser"), options.threads)
    voice = Voice(options.voice or replacing(options.models, "voice", ".onnx"))
    # The first call of each model is slow because of its setup.
    recogniser.warm_up(voice.speak("Hello.", 1))
    server = SpeechServer((options.host, options.port), recogniser, voice)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: threading.Thread(target=server.shutdown).start())
    server.log(listening=options.port, models=[recogniser.id, voice.id])
    server.serve_forever()


def replacing(models: str | None, kind: str, ending: str = "") -> str | None:
    """Returns the folder's model of this kind (`recogniser/<name>/` or `voice/<name>.onnx`), or None. Exits if there are several."""
    if not models:
        return None
    found = [path for path in sorted((Path(models) / kind).glob(f"*{ending}")) if not path.name.startswith(".")]
    if len(found) > 1:
        raise SystemExit(f"{Path(models) / kind} has {len(found)} models; keep one.")
    return str(found[0]) if found else None


if __name__ == "__main__":
    main()
