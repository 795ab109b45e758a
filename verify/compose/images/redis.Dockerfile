# Stands in for redis:<version>-alpine, with Debian's Redis.
FROM compose-test/testing
RUN useradd --system redis \
  && apt-get update \
  && apt-get install --yes --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir -p /data && chown redis:redis /data
WORKDIR /data
VOLUME /data
CMD ["redis-server"]
