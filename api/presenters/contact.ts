import type { Contact } from '../../db/contacts';
import type { ContactBody } from '../resources/campaign';
import { iso } from './instant';

export function presentContact(contact: Contact): ContactBody {
  return {
    row: contact.row,
    name: contact.name,
    phone_number: contact.phoneNumber,
    variables: contact.variables,
    state: contact.state,
    reason: contact.reason,
    attempts: contact.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      call_id: attempt.callId,
      call_status: attempt.callStatus,
      started_at: iso(attempt.startedAt),
      ended_at: iso(attempt.endedAt),
    })),
    next_attempt_at: nextAttempt(contact),
  };
}

/** A contact whose redial is under way still has the instant at which it became due. */
export const nextAttempt = ({
  state,
  nextAttemptAt,
}: Pick<Contact, 'state' | 'nextAttemptAt'>): string | null =>
  state === 'pending' ? iso(nextAttemptAt) : null;
