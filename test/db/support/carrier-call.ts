import type { CarrierCall } from '../../../activities/telephony/port';

/** A call as a carrier shows it that has said nothing of it but `changes`. */
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
