import { carrierFailed, outcomeOf, type AnsweredBy, type CallOutcome, type EndReason } from './call-outcome';

/** The facts about a call at its end. Instants are in ISO 8601. Values from earlier reports override these. */
export interface EndFacts {
  endReason: EndReason;
  endedAt: string;
  answeredBy?: AnsweredBy | null;
  dialingAt?: string | null;
  ringingAt?: string | null;
  answeredAt?: string | null;
  /** True for a `dropped` call whose phone sent no audio packet. */
  noAudio?: boolean;
  /** The caller ID that the carrier reports. A number that was recorded earlier overrides it. */
  fromNumber?: string | null;
}

/** Dates an end by our own clock, because the carrier didn't report the end. */
export function endedAt(now: number, endReason: EndReason): EndFacts {
  return { endReason, endedAt: new Date(now).toISOString() };
}

/** The end of a call, as input for the transaction that writes it. */
export interface CallEnd
  extends EndFacts, Pick<CallOutcome, 'callStatus' | 'answered' | 'contactState' | 'redial'> {
  /** Null if the end says nothing about the carrier. */
  carrierFailed: boolean | null;
  /** Zero if the call is not charged. */
  creditsPerMinute: number;
  noAudio: boolean;
}

export function callEndOf(facts: EndFacts, creditsPerMinute: number): CallEnd {
  // No conversation took place and the audio path from the carrier is broken. This counts as a failure of the carrier.
  const isWithoutAudio = facts.endReason === 'dropped' && facts.noAudio === true;
  const { callStatus, answered, contactState, redial } = outcomeOf(facts.endReason, facts.answeredBy ?? null);
  return {
    ...facts,
    callStatus,
    answered,
    contactState,
    redial,
    noAudio: isWithoutAudio,
    carrierFailed: isWithoutAudio || carrierFailed(facts.endReason),
    creditsPerMinute: isWithoutAudio ? 0 : creditsPerMinute,
  };
}
