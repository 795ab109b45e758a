# Stands in for livekit/livekit-server:<version>, which is configured by its environment.
FROM compose-test/bookworm
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates wget \
  && rm -rf /var/lib/apt/lists/*
COPY livekit-server /usr/local/bin/
ENTRYPOINT ["livekit-server"]
