/** Accepts callers of an agent's number in the same way as the API does. */
import { receiveCaller } from '../../../api/carriers/http/receive-caller';
import { changeRoute } from '../../../db/calls/inbound-routes';
import { TASK_QUEUE, workflowId, type CallInput, type CallResult } from '../../../workflows/contract';
import type { DispatchedCall, Owner, TimeSkippingEngine } from './time-skipping-engine';

let callers = 0;

/** Accepts a caller, who talks until a hang-up or until the test ends the call. With `start: false`, Temporal appears unreachable. */
export async function letIn(
  engine: TimeSkippingEngine,
  options: { owner?: Owner; start?: false } = {},
): Promise<DispatchedCall> {
  const owner = options.owner ?? (await engine.createClient());
  const now = await engine.now();
  const nth = ++callers;
  const number = `+9180400${String(nth).padStart(5, '0')}`;
  await changeRoute(engine.db, owner, { kind: 'take', number }, now);
  const startCall = async (input: CallInput): Promise<void> => {
    if (options.start === false) throw new Error('Temporal is away');
    const { callId } = input;
    const start = { workflowId: workflowId.call(callId), taskQueue: TASK_QUEUE, args: [input] };
    await engine.env.client.workflow.start('callWorkflow', start);
  };
  const deps = {
    db: engine.db,
    temporal: { startCall },
    clock: { now: () => now },
    log: { warn: () => undefined },
    metrics: { eventTimeReplaced: () => undefined },
    settings: { registeredOnly: false, spendPerDay: { perOrganization: 0 } },
  };
  const carrierId = `carrier-${nth}`;
  const from = '+919876543210';
  const caller = { carrierId, to: number, from, at: new Date(now).toISOString() };
  const answer = await receiveCaller(deps, caller);
  if (!answer.accept) throw new Error(`the caller was refused: ${answer.say}`);
  engine.carrier.letIn(carrierId, answer.reference);
  const handle = engine.env.client.workflow.getHandle(workflowId.call(answer.reference));
  return {
    callId: answer.reference,
    result: () => handle.result() as Promise<CallResult>,
    cancel: async () => void (await handle.cancel()),
  };
}
