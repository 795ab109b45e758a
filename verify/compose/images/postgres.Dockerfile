# Stands in for postgres:<version>, with Debian's Postgres of the same major version.
FROM compose-test/testing
ARG MAJOR
RUN useradd --home-dir /var/lib/postgresql --create-home --uid 999 postgres \
  && apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-$MAJOR \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/$MAJOR \
  && chown -R postgres:postgres /var/lib/postgresql \
  && chmod 3777 /var/run/postgresql
ENV LANG=C.UTF-8 PATH=/usr/lib/postgresql/$MAJOR/bin:$PATH PGDATA=/var/lib/postgresql/$MAJOR/docker
COPY --chmod=755 postgres-entrypoint.sh /usr/local/bin/postgres-entrypoint
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint"]
CMD ["postgres"]
