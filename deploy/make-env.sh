#!/bin/sh
# Prints a .env for docker-compose.yml with fresh secrets. Fill in the other lines by hand:
#
#   (umask 077 && sh deploy/make-env.sh > .env)
#
# Keep a copy of SECRETS_KEY apart from the backups. Without it the secrets in a backup can't be read.
set -eu

hex() { head -c "$1" /dev/urandom | od -An -v -t x1 | tr -d ' \n'; }

cat <<END
# --- to fill in (docs/production.md) ----------------------------------------------------------------------------------

# Address of the API for API clients, behind your TLS proxy.
PUBLIC_URL=
# Address of LiveKit for browsers, behind your TLS proxy: wss://…
LIVEKIT_PUBLIC_URL=
# The trunk: the id of one that LiveKit stores, or its address, user, password and transport.
LIVEKIT_SIP_TRUNK_ID=
SIP_TRUNK_ADDRESS=
SIP_TRUNK_USERNAME=
SIP_TRUNK_PASSWORD=
SIP_TRUNK_TRANSPORT=
# Addresses of the provider that send calls to your numbers. Empty lets anyone call.
SIP_INBOUND_ADDRESSES=
# Default models of agents: <provider>/<model>, or local for AGENT_STT and AGENT_TTS. Also set the key of each provider.
# The service agent stays unhealthy until it has models to hear and speak.
OPENAI_API_KEY=
AGENT_STT=
AGENT_LLM=
AGENT_TTS=
# Public address of the machine, if it can't reach a STUN server (docs/production.md).
LIVEKIT_NODE_IP=
# registered: organizations can use only numbers that you registered for them (admin number import). any: all that aren't another's.
NUMBERS=any
# Set it a little below the provider's limit.
CALLS_PER_SECOND=1
ALLOWED_COUNTRIES=IN
LEGAL_WINDOW_UTC=02:30-14:29

# --- made $(date -u +%Y-%m-%d); docs/production.md explains how to change them ------------

SECRETS_KEY=$(head -c 32 /dev/urandom | base64 | tr -d '\n')
CARRIER_SECRET=$(hex 24)
AGENT_SECRET=$(hex 24)
POSTGRES_PASSWORD=$(hex 24)
PLATFORM_DB_PASSWORD=$(hex 24)
TEMPORAL_DB_PASSWORD=$(hex 24)
REDIS_PASSWORD=$(hex 24)
LIVEKIT_API_KEY=API$(hex 8)
LIVEKIT_API_SECRET=$(hex 24)
END

cat >&2 <<END
Before several organizations or the internet use it: set SIP_INBOUND_ADDRESSES (empty takes calls from anybody), register the
numbers and set NUMBERS=registered.
END
