import { WorkflowNotFoundError } from '@temporalio/common';
import { signalWorkflows, type WorkflowSignals, type SignalSender } from '../../runtime/signal-workflows';

type Sent = { id: string; signal: string; args: unknown[] };

/** Records the sent signals in order. `fault` can make a workflow's signal fail. */
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
  return { sent, warnings, send: (signals: WorkflowSignals) => signalWorkflows(client, log, signals) };
}

const everything: WorkflowSignals = {
  granted: ['call-2', 'call-3'],
  refillCampaignId: 'c1',
  ended: { callId: 'call-1', callStatus: 'busy' },
};

test('signals the calls that got a line before the ended call and its campaign', async () => {
  const { sent, send } = recorder();
  await send(everything);
  expect(sent).toEqual([
    { id: 'call-2', signal: 'lineGranted', args: [] },
    { id: 'call-3', signal: 'lineGranted', args: [] },
    { id: 'call-1', signal: 'callEnded', args: [{ callStatus: 'busy' }] },
    { id: 'campaign-c1', signal: 'refill', args: [] },
  ]);
});

test('has granted calls dialled instead of signalling their workflows, if the sender can', async () => {
  const signalled: string[] = [];
  const dialled: string[] = [];
  const client: SignalSender = {
    getHandle: (id) => ({ signal: () => Promise.resolve(void signalled.push(id)) }),
    dial: (callIds) => void dialled.push(...callIds),
  };
  await signalWorkflows(client, { warn: () => undefined }, everything);
  expect(dialled).toEqual(['call-2', 'call-3']);
  expect(signalled).toEqual(['call-1', 'campaign-c1']);
});

test('sends no other signal until every granted call has been signalled', async () => {
  let answer = (): void => undefined;
  const signalled: string[] = [];
  const client: SignalSender = {
    getHandle: (id) => ({
      signal: () => {
        signalled.push(id);
        return new Promise((resolve) => {
          if (id === 'call-3') answer = resolve;
          else resolve();
        });
      },
    }),
  };
  const sending = signalWorkflows(client, { warn: () => undefined }, everything);
  await new Promise(setImmediate);
  expect(signalled).toEqual(['call-2', 'call-3']);
  answer();
  await sending;
  expect(signalled).toEqual(['call-2', 'call-3', 'call-1', 'campaign-c1']);
});

test('sends no signal if the decision is empty', async () => {
  const { sent, send } = recorder();
  await send({ granted: [], refillCampaignId: null });
  expect(sent).toEqual([]);
});

test('ignores a workflow that is gone', async () => {
  const { sent, warnings, send } = recorder(
    (id) => new WorkflowNotFoundError('workflow not found', id, undefined),
  );
  await send(everything);
  expect(sent).toHaveLength(4);
  expect(warnings).toEqual([]);
});

test('sends the other signals when one fails', async () => {
  const { sent, warnings, send } = recorder((id) => (id === 'call-2' ? new TypeError('boom') : null));
  await send(everything);
  expect(sent.map(({ id }) => id)).toEqual(['call-2', 'call-3', 'call-1', 'campaign-c1']);
  expect(warnings).toHaveLength(1);
});

test("logs only an error's name, because its message may contain personal data", async () => {
  const { warnings, send } = recorder(() => new RangeError('call +919876543210 of Asha'));
  await send({ granted: ['call-2'], refillCampaignId: null });
  expect(warnings).toEqual([
    {
      fields: { workflow_id: 'call-2', signal: 'lineGranted', error: 'RangeError' },
      sentence: 'signal not sent',
    },
  ]);
});

test("logs a thrown value that isn't an error as unknown", async () => {
  const { warnings, send } = recorder(() => Object.create(null) as Error);
  await send({ granted: ['call-2'], refillCampaignId: null });
  expect(warnings[0]?.fields.error).toBe('unknown');
});

test("doesn't fail when the Temporal client can't create a handle", async () => {
  const client: SignalSender = {
    getHandle: () => {
      throw new Error('closed');
    },
  };
  await expect(signalWorkflows(client, { warn: () => undefined }, everything)).resolves.toBeUndefined();
});
