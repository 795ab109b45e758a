import type { Contact, ContactAttempt } from '../../db/campaigns/contacts';
import { contactStory, type StoryCampaign } from '../../domain/contact-story';
import type { ContactBody } from './resource';
import { iso } from '../http/presenters/instant';

export function presentContact(contact: Contact, campaign: StoryCampaign, now: number): ContactBody {
  const { why, next } = contactStory(
    {
      state: contact.state,
      reason: contact.reason,
      attempts: contact.attemptsCounted,
      nextAttemptAt: contact.nextAttemptAt?.getTime() ?? null,
      isCallback: contact.isCallback,
      lastEndReason: contact.lastEndReason,
      openStage: contact.openStage,
      isNumberBusy: contact.isNumberBusy,
      lineKeptUntil: contact.lineKeptUntil?.getTime() ?? null,
    },
    campaign,
    now,
  );
  return {
    row: contact.row,
    name: contact.name,
    phone_number: contact.phoneNumber,
    variables: contact.variables,
    state: contact.state,
    reason: contact.reason,
    attempts: contact.attempts.map(presentAttempt),
    next_attempt_at: nextAttempt(contact),
    do_not_call: contact.doNotCall,
    why,
    next: {
      action: next.action,
      at: next.at === null ? null : iso(new Date(next.at)),
      sentence: next.sentence,
    },
  };
}

function presentAttempt(attempt: ContactAttempt): ContactBody['attempts'][number] {
  return {
    attempt: attempt.attempt,
    is_callback: attempt.isCallback,
    call_id: attempt.callId,
    call_status: attempt.callStatus,
    end_reason: attempt.endReason,
    started_at: iso(attempt.startedAt),
    dialed_at: iso(attempt.dialedAt),
    ringing_at: iso(attempt.ringingAt),
    answered_at: iso(attempt.answeredAt),
    ended_at: iso(attempt.endedAt),
    duration_ms: attempt.durationMs,
  };
}

/** While a redial is in progress, its due time is still stored but no longer shown. */
export const nextAttempt = ({
  state,
  nextAttemptAt,
}: Pick<Contact, 'state' | 'nextAttemptAt'>): string | null =>
  state === 'pending' ? iso(nextAttemptAt) : null;
