import { useState, type ReactNode } from 'react';
import { MAX_COUNTED } from '../../../domain/count-limits';
import type { WebhookDelivery, DeliveryAttempt } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { instantOf, dayAfter } from '../format/time';
import { useNotice } from '../parts/notices';
import { ExpandableRow } from '../parts/expandable-row';
import { Pager } from '../parts/pager';
import { sentenceOf } from '../parts/problem-text';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { indented, countOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { Day } from '../parts/field';
import { useDeliveries, useRedeliver, type DeliveryFilter, useDelivery, useRedeliverMany } from './queries';

interface DeliveriesProps {
  of: DeliveryFilter;
  title: string;
  beside?: ReactNode;
}

/** Table of webhook deliveries. Each row has a redeliver button and expands to show the delivery's body and attempts. */
export function Deliveries({ of, title, beside }: DeliveriesProps) {
  const [page, setPage] = useState(1);
  const deliveries = useDeliveries({ ...of, page });
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {beside !== undefined && beside !== false && <div className="aside">{beside}</div>}
      </header>
      <QueryResult query={deliveries} of="the deliveries">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={of.status === 'failed' ? 'No failed deliveries' : 'No deliveries yet'} />
          ) : (
            <>
              <Table deliveries={data} />
              {pagination.total_pages > 1 && (
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of="deliveries"
                  isAtLeast={pagination.total_count === MAX_COUNTED}
                  onPage={setPage}
                />
              )}
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ deliveries }: { deliveries: WebhookDelivery[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Event</th>
            <th>Status</th>
            <th>Last attempt</th>
            <th>
              <span className="only-heard">Redeliver</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ delivery }: { delivery: WebhookDelivery }) {
  const { mutate, isPending } = useRedeliver();
  const mayOperate = useMay('operate');
  const report = useNotice();
  const redeliver = (): void =>
    mutate(delivery.id, {
      onSuccess: () => report(`${delivery.event} is being redelivered.`),
      onError: (error) => report(sentenceOf(error)),
    });
  return (
    <ExpandableRow
      id={`delivery-${delivery.id}`}
      columns={4}
      head={
        <>
          {delivery.event}
          <span className="soft small clip">{delivery.url}</span>
        </>
      }
      story={<DeliveryStory deliveryId={delivery.id} />}
    >
      <td>
        <Status of={delivery.status} />
      </td>
      <td className="wide soft">{lastAttemptOf(delivery)}</td>
      <td className="number">
        {mayOperate && delivery.status !== 'pending' && (
          <button type="button" className="button" disabled={isPending} onClick={redeliver}>
            Redeliver
          </button>
        )}
      </td>
    </ExpandableRow>
  );
}

function lastAttemptOf({ attempts, next_attempt_at: next }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return next === null ? 'None yet' : `First attempt due ${instantOf(next)}`;
  const due = next === null ? '' : `. Next attempt due ${instantOf(next)}`;
  return `${instantOf(last.at)}, attempt ${last.attempt}: ${resultOf(last)}${due}`;
}

const resultOf = ({ status_code: code, error }: DeliveryAttempt): string =>
  code === null ? (error ?? 'no response') : `HTTP ${code}`;

/** Shows a delivery's body and attempts. Loads them when the row opens. */
function DeliveryStory({ deliveryId }: { deliveryId: string }) {
  const delivery = useDelivery(deliveryId);
  return (
    <QueryResult query={delivery} of="the delivery">
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
              <dt>Event ID</dt>
              <dd className="mono">{eventId}</dd>
            </dl>
          </div>
          <div>
            <h3>Body</h3>
            <pre>{indented(body)}</pre>
          </div>
        </div>
      )}
    </QueryResult>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  return (
    <li>
      Attempt {attempt.attempt}: {resultOf(attempt)}{' '}
      <span className="soft">
        {instantOf(attempt.at)}, {attempt.duration_ms} ms
      </span>
    </li>
  );
}

/** Redelivers all failed webhooks, or those of a date range, for example after the receiver was down. */
export function RedeliverFailed() {
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const { mutateAsync } = useRedeliverMany();
  const report = useNotice();
  const redeliver = async (): Promise<void> => {
    const { redelivered, skipped } = await mutateAsync({
      status: 'failed',
      ...(first !== '' && { from: first }),
      ...(last !== '' && { to: dayAfter(last) }),
    });
    const left = skipped === 0 ? '' : ` ${countOf(skipped)} more must be redelivered later.`;
    const sent = redelivered === 1 ? '1 delivery is' : `${countOf(redelivered)} deliveries are`;
    report(`${sent} being redelivered.${left}`);
  };
  return (
    <Confirm action="Redeliver all" title="Redeliver all failed webhooks?" onConfirm={redeliver}>
      Each event gets up to five more attempts. The oldest events are sent first, ten per second. Receivers
      can recognize repeated events by their ID.
      <Day label="First day (UTC)" value={first} onChoose={setFirst} />
      <Day label="Last day (UTC)" value={last} onChoose={setLast} />
    </Confirm>
  );
}
