import { Link } from '@tanstack/react-router';
import type { Contact, ContactAttempt } from '../../../sdk/typescript/generated';
import { durationOf, inBothZones, instantOf } from '../format/time';
import { valueOf } from '../format/values';
import { Status } from '../parts/status';

/** Shows a contact's attempts in order and its next step. */
export function ContactStory({ contact }: { contact: Contact }) {
  const variables = Object.entries(contact.variables);
  return (
    <div className="story">
      <ol>
        <li className="soft">Row {contact.row} of the file</li>
        {contact.attempts.map((attempt) => (
          <Attempt key={attempt.call_id} attempt={attempt} />
        ))}
        {contact.do_not_call && <li>The person asked not to be called again.</li>}
        {contact.next.action !== 'none' && <li className="soft">{inBothZones(contact.next.sentence)}</li>}
        {contact.next.action === 'none' && contact.why !== null && <li className="soft">{contact.why}</li>}
      </ol>
      {variables.length > 0 && (
        <dl className="facts">
          {variables.map(([name, value]) => (
            <div key={name} className="pair">
              <dt>{name}</dt>
              <dd>{valueOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Attempt({ attempt }: { attempt: ContactAttempt }) {
  return (
    <li>
      <Link to="/calls/$callId" params={{ callId: attempt.call_id }}>
        {attempt.is_callback ? 'Callback' : `Dial ${attempt.attempt}`}
      </Link>{' '}
      <Status of={attempt.call_status} />{' '}
      <span className="soft">
        {instantOf(attempt.started_at)}
        {attempt.answered_at !== null && `, talked ${durationOf(attempt.duration_ms)}`}
        {attempt.end_reason !== null && `, end reason: ${attempt.end_reason}`}
      </span>
    </li>
  );
}
