import type { DeliveryAttempt } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { Answer } from '../parts/states';
import { indented } from './indented';
import { useDelivery } from './queries';

/** Shows a delivery's body and attempts, which are loaded when its row opens. */
export function DeliveryStory({ deliveryId }: { deliveryId: string }) {
  const delivery = useDelivery(deliveryId);
  return (
    <Answer query={delivery} of="the delivery">
      {({ attempts, body, event_id: eventId, url }) => (
        <div className="story">
          <div>
            <h3>Attempts</h3>
            {attempts.length === 0 ? (
              <p className="soft">None yet</p>
            ) : (
              <ol>
                {attempts.map((attempt) => (
                  <Attempt key={attempt.attempt} attempt={attempt} />
                ))}
              </ol>
            )}
            <dl className="facts">
              <dt>To</dt>
              <dd>{url}</dd>
              <dt>Event id</dt>
              <dd className="mono">{eventId}</dd>
            </dl>
          </div>
          <div>
            <h3>Body</h3>
            <pre>{indented(body)}</pre>
          </div>
        </div>
      )}
    </Answer>
  );
}

function Attempt({
  attempt: { attempt, at, status_code: code, duration_ms: ms, error },
}: {
  attempt: DeliveryAttempt;
}) {
  const answer = code === null ? (error ?? 'no response') : `responded ${code}`;
  return (
    <li>
      Attempt {attempt}: {answer}{' '}
      <span className="soft">
        {instantOf(at)}, {ms} ms
      </span>
    </li>
  );
}
