#!/bin/sh
# The server listens on all addresses, so it must be configured with the address at which its services reach each other.
set -eu
TEMPORAL_BROADCAST_ADDRESS=$(hostname -i | cut -d ' ' -f 1)
export TEMPORAL_BROADCAST_ADDRESS
exec temporal-server --allow-no-auth start
