import { useState } from 'react';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { Field } from '../parts/field';
import { useNotice } from '../parts/notices';
import { useRedeliverMany } from './queries';

/** Sends again what failed since a day, such as after a receiver's night without service. */
export function RedeliverFailed() {
  const [from, setFrom] = useState('');
  const { mutateAsync } = useRedeliverMany();
  const announce = useNotice();
  const redeliver = async (): Promise<void> => {
    const { redelivered, skipped } = await mutateAsync({ status: 'failed', ...(from !== '' && { from }) });
    const left = skipped === 0 ? '' : ` ${countOf(skipped)} are left for another time.`;
    announce(`${countOf(redelivered)} deliveries are sent again.${left}`);
  };
  return (
    <Confirm action="Deliver all again" title="Deliver all that failed again?" onConfirm={redeliver}>
      Each event gets up to five more attempts, the oldest first, ten in a second. A receiver that knows an
      event’s id drops what it had.
      <Field label="Only since (UTC)">
        {(ties) => (
          <input {...ties} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
        )}
      </Field>
    </Confirm>
  );
}
