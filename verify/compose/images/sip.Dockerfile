# Stands in for livekit/sip:<version>, which is configured by its environment.
FROM compose-test/bookworm
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libopus0 libopusfile0 libsoxr0 \
  && rm -rf /var/lib/apt/lists/*
COPY --chmod=755 livekit-sip /usr/local/bin/
ENTRYPOINT ["livekit-sip"]
