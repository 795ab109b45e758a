import { carrierFailed, outcomeOf, type AnsweredBy, type CallOutcome, type EndReason } from './call-outcome';

/** What is known of a call at its end. Instants are ISO 8601; those that were reported before stand. */
export interface EndFacts {
  endReason: EndReason;
  endedAt: string;
  answeredBy?: AnsweredBy | null;
  dialingAt?: string | null;
  ringingAt?: string | null;
  answeredAt?: string | null;
  /** Of a `dropped` call: not a packet of audio came from its phone. */
  noAudio?: boolean;
  /** The number that was shown, as the carrier says; the number that was recorded before stands. */
  fromNumber?: string | null;
}

/** An end that is ours to date: the carrier has none, or never reported it. */
export function endedAt(now: number, endReason: EndReason): EndFacts {
  return { endReason, endedAt: new Date(now).toISOString() };
}

/** The end of a call as the transaction that writes it takes it. */
export interface CallEnd
  extends EndFacts, Pick<CallOutcome, 'callStatus' | 'answered' | 'contactState' | 'redial'> {
  /** Whether the carrier failed; null where the end says nothing about it. */
  carrierFailed: boolean | null;
  /** Zero where nothing is charged. */
  creditsPerMinute: number;
  noAudio: boolean;
}

export function callEndOf(facts: EndFacts, creditsPerMinute: number): CallEnd {
  // Nobody was talked with, and it is the way of the audio from the carrier to us that is broken.
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
