import type { CarrierCall } from '../../../activities/telephony/port';

/** Returns a call as shown by a carrier, with no reports except `changes`. */
export const carrierCall = (
  changes: Pick<CarrierCall, 'carrierId' | 'reference' | 'state'> & Partial<CarrierCall>,
): CarrierCall => ({
  endReason: null,
  answeredBy: null,
  dialingAt: null,
  ringingAt: null,
  answeredAt: null,
  endedAt: null,
  transcript: [],
  ...changes,
});
