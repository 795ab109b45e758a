import { useState, type ReactNode } from 'react';
import { MAX_COUNTED } from '../../../domain/count-limits';
import type { WebhookDelivery } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { instantOf } from '../format/time';
import { useNotice } from '../parts/notices';
import { Opening } from '../parts/opening';
import { Pager } from '../parts/pager';
import { sentenceOf } from '../parts/problem-text';
import { Answer, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { DeliveryStory } from './delivery-story';
import { useDeliveries, useRedeliver, type DeliveryFilter } from './queries';

interface DeliveriesProps {
  of: DeliveryFilter;
  title: string;
  beside?: ReactNode;
}

/** Table of webhook deliveries with their attempts, and a button to redeliver each. */
export function Deliveries({ of, title, beside }: DeliveriesProps) {
  const [page, setPage] = useState(1);
  const deliveries = useDeliveries({ ...of, page });
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {beside !== undefined && beside !== false && <div className="aside">{beside}</div>}
      </header>
      <Answer query={deliveries} of="the deliveries">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={of.status === 'failed' ? 'No delivery has failed' : 'No deliveries yet'} />
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
      </Answer>
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
    <Opening
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
      <td className="wide soft">{lastOf(delivery)}</td>
      <td className="number">
        {mayOperate && delivery.status !== 'pending' && (
          <button type="button" className="button" disabled={isPending} onClick={redeliver}>
            Redeliver
          </button>
        )}
      </td>
    </Opening>
  );
}

function lastOf({ attempts, next_attempt_at: next }: WebhookDelivery): string {
  const last = attempts.at(-1);
  const then = next === null ? '' : `; next ${instantOf(next)}`;
  if (last === undefined) return next === null ? 'None yet' : `First ${instantOf(next)}`;
  const answer = last.status_code === null ? (last.error ?? 'no response') : `responded ${last.status_code}`;
  return `${instantOf(last.at)}, ${answer}, attempt ${last.attempt}${then}`;
}
