import type { Telephony } from './port';

type Around = <Answer>(operation: string, request: () => Promise<Answer>) => Promise<Answer>;

/** Wraps each request to the carrier in `around`. */
export const wrapped = (telephony: Telephony, around: Around): Telephony => ({
  // These four send no request.
  preparesFirst: (reference) => telephony.preparesFirst(reference),
  needsCallerId: (reference) => telephony.needsCallerId(reference),
  pendingDialMs: (reference) => telephony.pendingDialMs(reference),
  now: () => telephony.now(),
  prepare: (reference, options) => around('prepare', () => telephony.prepare(reference, options)),
  release: (reference) => around('release', () => telephony.release(reference)),
  createSession: (session) => around('createSession', () => telephony.createSession(session)),
  dial: (request) => around('dial', () => telephony.dial(request)),
  find: (reference) => around('find', () => telephony.find(reference)),
  hangUp: (carrierId) => around('hangUp', () => telephony.hangUp(carrierId)),
  held: () => around('held', () => telephony.held()),
  retrieve: (reference) => around('retrieve', () => telephony.retrieve(reference)),
  setInboundRoute: (route) => around('setInboundRoute', () => telephony.setInboundRoute(route)),
  removeInboundRoute: (number) => around('removeInboundRoute', () => telephony.removeInboundRoute(number)),
});
