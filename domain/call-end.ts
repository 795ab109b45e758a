import { carrierFailed, outcomeOf, type AnsweredBy, type CallOutcome, type EndReason } from './call-outcome';

/** The facts about a call at its end. Instants are ISO 8601, and earlier reported ones take precedence. */
export interface EndFacts {
  endReason: EndReason;
  endedAt: string;
  answeredBy?: AnsweredBy | null;
  dialingAt?: string | null;
  ringingAt?: string | null;
  answeredAt?: string | null;
  /** A `dropped` call whose phone sent no audio packet. */
  noAudio?: boolean;
  /** The caller ID that the carrier reports. A number recorded earlier takes precedence. */
  fromNumber?: string | null;
}

/** Dates an end by our clock, for calls whose end the carrier did not report. */
export function endedAt(now: number, endReason: EndReason): EndFacts {
  return { endReason, endedAt: new Date(now).toISOString() };
}

/** The end of a call as input of the transaction that writes it. */
export interface CallEnd
  extends EndFacts, Pick<CallOutcome, 'callStatus' | 'answered' | 'contactState' | 'redial'> {
  /** Null if the end says nothing about the carrier. */
  carrierFailed: boolean | null;
  /** Zero if the call is not charged. */
  creditsPerMinute: number;
  noAudio: boolean;
}

export function callEndOf(facts: EndFacts, creditsPerMinute: number): CallEnd {
  // No conversation took place, and the audio path from the carrier to us is broken. So the carrier failed.
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
