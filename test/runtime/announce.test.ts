import { WorkflowNotFoundError } from '@temporalio/common';
import { announce, type Announcement, type SignalSender } from '../../runtime/announce';

type Sent = { id: string; signal: string; args: unknown[] };

/** Keeps what was sent, in order; `fault` may answer an error for a workflow. */
function recorder(fault: (id: string) => Error | null = () => null) {
  const sent: Sent[] = [];
  const warnings: { fields: Record<string, unknown>; sentence: string }[] = [];
  const client: SignalSender = {
    getHandle: (id) => ({
      signal: (signal, ...args) => {
        sent.push({ id, signal, args });
        const error = fault(id);
        return error === null ? Promise.resolve() : Promise.reject(error);
      },
    }),
  };
  const log = {
    warn: (fields: Record<string, unknown>, sentence: string) => {
      warnings.push({ fields, sentence });
    },
  };
  return { sent, warnings, tell: (announcement: Announcement) => announce(client, log, announcement) };
}

const everything: Announcement = {
  granted: ['call-2', 'call-3'],
  refillCampaignId: 'c1',
  ended: { callId: 'call-1', callStatus: 'busy' },
};

test('calls that got a line hear first, then the ended call and its campaign', async () => {
  const { sent, tell } = recorder();
  await tell(everything);
  expect(sent).toEqual([
    { id: 'call-2', signal: 'lineGranted', args: [] },
    { id: 'call-3', signal: 'lineGranted', args: [] },
    { id: 'call-1', signal: 'callEnded', args: [{ callStatus: 'busy' }] },
    { id: 'campaign-c1', signal: 'refill', args: [] },
  ]);
});

test('nobody else is told until every granted call has been', async () => {
  let answer = (): void => undefined;
  const told: string[] = [];
  const client: SignalSender = {
    getHandle: (id) => ({
      signal: () => {
        told.push(id);
        return new Promise((resolve) => {
          if (id === 'call-3') answer = resolve;
          else resolve();
        });
      },
    }),
  };
  const telling = announce(client, { warn: () => undefined }, everything);
  await new Promise(setImmediate);
  expect(told).toEqual(['call-2', 'call-3']);
  answer();
  await telling;
  expect(told).toEqual(['call-2', 'call-3', 'call-1', 'campaign-c1']);
});

test('nothing decided, nobody told', async () => {
  const { sent, tell } = recorder();
  await tell({ granted: [], refillCampaignId: null });
  expect(sent).toEqual([]);
});

test('a workflow that is gone is no fault', async () => {
  const { sent, warnings, tell } = recorder(
    (id) => new WorkflowNotFoundError('workflow not found', id, undefined),
  );
  await tell(everything);
  expect(sent).toHaveLength(4);
  expect(warnings).toEqual([]);
});

test('a signal that fails stops none of the others', async () => {
  const { sent, warnings, tell } = recorder((id) => (id === 'call-2' ? new TypeError('boom') : null));
  await tell(everything);
  expect(sent.map(({ id }) => id)).toEqual(['call-2', 'call-3', 'call-1', 'campaign-c1']);
  expect(warnings).toHaveLength(1);
});

test('a fault is logged by its name only: its text may hold anything', async () => {
  const { warnings, tell } = recorder(() => new RangeError('call +919876543210 of Asha'));
  await tell({ granted: ['call-2'], refillCampaignId: null });
  expect(warnings).toEqual([
    {
      fields: { workflow_id: 'call-2', signal: 'lineGranted', error: 'RangeError' },
      sentence: 'signal not sent',
    },
  ]);
});

test('what is thrown and is no error is logged as unknown', async () => {
  const { warnings, tell } = recorder(() => Object.create(null) as Error);
  await tell({ granted: ['call-2'], refillCampaignId: null });
  expect(warnings[0]?.fields.error).toBe('unknown');
});

test('a client that cannot even make a handle is no reason to fail', async () => {
  const client: SignalSender = {
    getHandle: () => {
      throw new Error('closed');
    },
  };
  await expect(announce(client, { warn: () => undefined }, everything)).resolves.toBeUndefined();
});
