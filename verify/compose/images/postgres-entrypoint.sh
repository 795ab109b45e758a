#!/bin/bash
# If the volume is empty, creates the databases as the image's documentation describes. Then runs the command.
set -euo pipefail

if [ "${1:-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  # The folder gets its final name last, so that an interrupted start begins anew.
  made=$PGDATA.new
  rm -rf "$made"
  # The arguments are several words.
  # shellcheck disable=SC2086
  initdb --pgdata "$made" --username "$POSTGRES_USER" --pwfile <(printf '%s' "$POSTGRES_PASSWORD") \
    --auth-local trust --auth-host scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  echo "host all all all scram-sha-256" >> "$made/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$made/postgresql.conf"
  pg_ctl --pgdata "$made" --options "-c listen_addresses=''" --wait start
  for script in /docker-entrypoint-initdb.d/*.sh; do bash "$script"; done
  pg_ctl --pgdata "$made" --mode fast --wait stop
  mv "$made" "$PGDATA"
fi
exec "$@"
