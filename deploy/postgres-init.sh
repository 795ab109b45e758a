#!/bin/bash
# The Postgres image runs this once, while its volume is empty. It creates a user and databases for the platform and for Temporal, so that
# neither can read the other's data. The passwords come from the environment.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set platform_password="$PLATFORM_DB_PASSWORD" --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role platform login password :'platform_password';
create role temporal login password :'temporal_password';
create database platform owner platform;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke connect on database platform, temporal, temporal_visibility from public;
SQL
