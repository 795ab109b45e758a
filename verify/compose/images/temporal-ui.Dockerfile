# Stands in for temporalio/ui:<version>.
FROM compose-test/bookworm
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates curl \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 1000 temporal \
  && mkdir /ui && chown 1000:1000 /ui
COPY ui-server /usr/local/bin/
COPY --chmod=755 temporal-ui-entrypoint.sh /usr/local/bin/temporal-ui-entrypoint
WORKDIR /ui
ENTRYPOINT ["temporal-ui-entrypoint"]
