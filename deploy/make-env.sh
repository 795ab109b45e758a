#!/bin/sh
# Prints a .env for docker-compose.yml with secrets made now, for the lines that nobody should think up. Fill in the rest by hand:
#
#   (umask 077 && sh deploy/make-env.sh > .env)
#
# Keep a copy of SECRETS_KEY where the backups are not: without it the signing secrets in a backup cannot be read.
set -eu

hex() { head -c "$1" /dev/urandom | od -An -v -t x1 | tr -d ' \n'; }

cat <<END
# --- to fill in (docs/production.md) ----------------------------------------------------------------------------------

# The API as clients reach it, behind your TLS.
PUBLIC_URL=
# LiveKit as browsers reach it, behind your TLS: wss://…
LIVEKIT_PUBLIC_URL=
# The trunk: the id of one stored in LiveKit, or address, user, password and transport of one.
LIVEKIT_SIP_TRUNK_ID=
SIP_TRUNK_ADDRESS=
SIP_TRUNK_USERNAME=
SIP_TRUNK_PASSWORD=
SIP_TRUNK_TRANSPORT=
# The provider's addresses, from which calls to your numbers come; empty takes calls from anybody.
SIP_INBOUND_ADDRESSES=
# Models of agents that name none: <provider>/<model>, or local for AGENT_STT and AGENT_TTS; and the key of each provider.
# The service agent stays unhealthy until it can hear and speak.
OPENAI_API_KEY=
AGENT_STT=
AGENT_LLM=
AGENT_TTS=
# The machine's public address, where no STUN server can be reached (docs/production.md).
LIVEKIT_NODE_IP=
# registered: organizations only use numbers that you registered for them (admin number import); any: all that no other one registered.
NUMBERS=any
# A little below what the provider allows.
CALLS_PER_SECOND=1
ALLOWED_COUNTRIES=IN
LEGAL_WINDOW_UTC=02:30-14:29

# --- made $(date -u +%Y-%m-%d); the platform's own are for good, those of servers are changed as docs/production.md says ------------

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
