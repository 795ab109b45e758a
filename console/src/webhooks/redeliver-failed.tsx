import { useState } from 'react';
import { dayAfter } from '../format/time';
import { countOf } from '../format/numbers';
import { Confirm } from '../parts/confirm';
import { Day } from '../parts/day';
import { useNotice } from '../parts/notices';
import { useRedeliverMany } from './queries';

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
    const left = skipped === 0 ? '' : ` ${countOf(skipped)} ${skipped === 1 ? 'is' : 'are'} left for later.`;
    const sent = redelivered === 1 ? '1 delivery is' : `${countOf(redelivered)} deliveries are`;
    report(`${sent} being redelivered.${left}`);
  };
  return (
    <Confirm action="Redeliver all" title="Redeliver all failed webhooks?" onConfirm={redeliver}>
      Each event gets up to five more attempts. The oldest events are sent first, ten per second. Receivers
      can ignore events whose id they already know.
      <Day label="First day (UTC)" value={first} onChoose={setFirst} />
      <Day label="Last day (UTC)" value={last} onChoose={setLast} />
    </Confirm>
  );
}
