import type { Telephony } from './port';

/** Routes browser sessions to LiveKit and phone calls to the configured carrier. */
export function telephonyByReference(phones: Telephony, livekit: Telephony): Telephony {
  const of = (reference: string): Telephony => (isSession(reference) ? livekit : phones);
  return {
    now: () => phones.now(),
    preparesFirst: (reference) => of(reference).preparesFirst(reference),
    prepare: (reference, options) => of(reference).prepare(reference, options),
    release: (reference) => of(reference).release(reference),
    createSession: (session) => livekit.createSession(session),
    dial: (request) => phones.dial(request),
    needsCallerId: (reference) => of(reference).needsCallerId(reference),
    pendingDialMs: (reference) => of(reference).pendingDialMs(reference),
    find: (reference) => of(reference).find(reference),
    // A session's room has the session's reference as its name.
    hangUp: (carrierId) => of(carrierId).hangUp(carrierId),
    retrieve: (reference) => of(reference).retrieve(reference),
    held: async () => [...(await phones.held()), ...(await livekit.held())],
    setInboundRoute: (route) => phones.setInboundRoute(route),
    removeInboundRoute: (number) => phones.removeInboundRoute(number),
  };
}

/** Reference of a browser session, which is also the name of its room. */
const SESSION_REFERENCE = /^room_\d{10}-[0-9a-f]{32}$/;

export const isSession = (reference: string): boolean => SESSION_REFERENCE.test(reference);
