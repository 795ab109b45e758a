#!/bin/sh
# Prints a .env for docker-compose.yml with fresh secrets. Fill in the remaining lines by hand:
#
#   (umask 077 && sh deploy/make-env.sh > .env)
#
# Keep a copy of SECRETS_KEY separate from the backups. Without it, the secrets in a backup can't be read.
set -eu

hex() { head -c "$1" /dev/urandom | od -An -v -t x1 | tr -d ' \n'; }

cat <<END
# --- to fill in (docs/production.md) ----------------------------------------------------------------------------------

# Address at which API clients reach the API, behind your TLS proxy.
PUBLIC_URL=
# Address at which browsers reach LiveKit, behind your TLS proxy: wss://…
LIVEKIT_PUBLIC_URL=
# Set the id of a SIP trunk that LiveKit stores, or the trunk's address, user, password and transport.
LIVEKIT_SIP_TRUNK_ID=
SIP_TRUNK_ADDRESS=
SIP_TRUNK_USERNAME=
SIP_TRUNK_PASSWORD=
SIP_TRUNK_TRANSPORT=
# Addresses from which your provider sends calls to your numbers. If empty, anyone can call them.
SIP_INBOUND_ADDRESSES=
# Default models for agents: <provider>/<model>, or local for AGENT_STT and AGENT_TTS. Also set each provider's API key. The agent service
# stays unhealthy until it has models for speech recognition and synthesis.
OPENAI_API_KEY=
AGENT_STT=
AGENT_LLM=
AGENT_TTS=
# Public address of the machine, if it can't reach a STUN server (docs/production.md).
LIVEKIT_NODE_IP=
# registered: organizations can use only numbers that you registered for them (admin number import). any: they can use any number that
# doesn't belong to another organization.
NUMBERS=any
# Set this a little below the provider's limit.
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
