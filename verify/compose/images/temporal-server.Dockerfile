# Stands in for temporalio/server:<version>, which is configured by its environment.
FROM compose-test/bookworm
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates netcat-openbsd \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 1000 temporal
COPY temporal-server /usr/local/bin/
COPY --chmod=755 temporal-server-entrypoint.sh /usr/local/bin/temporal-server-entrypoint
ENTRYPOINT ["temporal-server-entrypoint"]
