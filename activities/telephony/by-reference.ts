import type { Telephony } from './port';
import { isSession } from './session-reference';

/** Browser sessions go to LiveKit, whatever carries the phone calls. */
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
    settlesMs: (reference) => of(reference).settlesMs(reference),
    find: (reference) => of(reference).find(reference),
    // A session's room is named as the session.
    hangUp: (carrierId) => of(carrierId).hangUp(carrierId),
    retrieve: (reference) => of(reference).retrieve(reference),
    held: async () => [...(await phones.held()), ...(await livekit.held())],
    setInboundRoute: (route) => phones.setInboundRoute(route),
    removeInboundRoute: (number) => phones.removeInboundRoute(number),
  };
}
