# SIPp, which simulates the trunk with its phones, and callers.
ARG BASE=compose-test/bookworm
FROM $BASE
RUN apt-get update \
  && apt-get install --yes --no-install-recommends sip-tester \
  && rm -rf /var/lib/apt/lists/*
ENV TZ=UTC
WORKDIR /phones
ENTRYPOINT ["sipp"]
