import { useState } from 'react';
import { dayAfter } from '../format/day-after';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { Day } from '../parts/day';
import { useNotice } from '../parts/notices';
import { useRedeliverMany } from './queries';

/** Sends again what failed, of all days or some, such as after a receiver's night without service. */
export function RedeliverFailed() {
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const { mutateAsync } = useRedeliverMany();
  const announce = useNotice();
  const redeliver = async (): Promise<void> => {
    const { redelivered, skipped } = await mutateAsync({
      status: 'failed',
      ...(first !== '' && { from: first }),
      ...(last !== '' && { to: dayAfter(last) }),
    });
    const left =
      skipped === 0 ? '' : ` ${countOf(skipped)} ${skipped === 1 ? 'is' : 'are'} left for another time.`;
    const sent = redelivered === 1 ? '1 delivery is' : `${countOf(redelivered)} deliveries are`;
    announce(`${sent} sent again.${left}`);
  };
  return (
    <Confirm action="Deliver all again" title="Deliver all that failed again?" onConfirm={redeliver}>
      Each event gets up to five more attempts, the oldest first, ten in a second. A receiver that knows an
      event’s id drops what it had.
      <Day label="First day (UTC)" value={first} onChoose={setFirst} />
      <Day label="Last day (UTC)" value={last} onChoose={setLast} />
    </Confirm>
  );
}
