/** Scenes about calls and deliveries outside campaigns. Each records the histories of its workflows. */
import type { Reply } from '../../../dev/model-stand-in/server';
import { RETENTION_SCHEDULE_ID, WORKFLOW_TYPES, workflowId } from '../../../workflows/contract';
import { eventually, numberEnding, talkers } from '../customer';
import { callbackOf, deliveryOf, type Recording } from '../recording';
import type { Stage } from '../stage';

const READ = {
  text: JSON.stringify({
    summary: 'Read.',
    sentiment: 'neutral',
    outcome: 'interested',
    callback_requested: false,
    callback_at: null,
  }),
};

/** The model's replies in order, by name of the course. */
const COURSES: Readonly<Record<string, readonly Reply[]>> = {
  'call-read': [READ],
  'call-read-at-the-third-try': [{ status: 503 }, { status: 503 }, READ],
  'call-no-model-reads': [{ status: 400 }],
};

/** Runs the courses one after another, because they use the same model. */
export async function recordAnalysis(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  for (const [name, replies] of Object.entries(COURSES)) {
    stage.scriptModel(replies);
    const call = workflowId.call(await customer.dispatch(numberEnding(0)));
    await recording.keepClosed(name, call);
  }
  stage.scriptModel([{ ...READ, delayMs: 5_000 }]);
  const call = workflowId.call(await customer.dispatch(numberEnding(0)));
  await recording.untilSeen(call, 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-call-is-read', call);
}

/** Records accepted and rejected webhooks. Campaigns have separate delivery workflows; calls deliver within the call's workflow. */
export async function recordDeliveries(stage: Stage, recording: Recording): Promise<void> {
  await recordCampaignWith(stage, recording, '/accepts', 'accepted');
  await recordCampaignWith(stage, recording, '/late', 'accepted-late');
  await recordRefused(stage, recording);
}

async function recordCampaignWith(
  stage: Stage,
  recording: Recording,
  hook: string,
  name: string,
): Promise<void> {
  const customer = await stage.customer();
  const [number = ''] = talkers(1);
  const campaignId = await customer.createCampaign({
    numbers: [number],
    concurrency: 1,
    callHook: hook,
    campaignHook: hook,
  });
  const callId = await customer.callTo(campaignId, number, ['completed']);
  const delivery = await deliveryOf(stage.temporal.workflow, campaignId);
  await recording.keepClosed(`call-webhook-${name}`, workflowId.call(callId));
  await recording.keepClosed(`delivery-${name}`, delivery);
}

/** Records histories before the second attempt and between the later ones. */
async function recordRefused(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const [number = ''] = talkers(1);
  const campaignId = await customer.createCampaign({
    numbers: [number],
    concurrency: 1,
    callHook: '/refuses',
    campaignHook: '/refuses',
  });
  const callId = await customer.callTo(campaignId, number, ['completed']);
  await recording.untilSeen(workflowId.call(callId), '"startToFireTimeout":"5s"');
  await recording.keep('open-call-webhook-refused', workflowId.call(callId));
  const delivery = await deliveryOf(stage.temporal.workflow, campaignId);
  await recording.untilSeen(delivery, 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-delivery-refused', delivery);
  await recording.untilSeen(workflowId.call(callId), 'ACTIVITY_TASK_SCHEDULED');
  await recording.keep('open-call-webhook-refused-twice', workflowId.call(callId));
}

/** Number that talks until the time limit. */
const ENDLESS = 73;
/** Number that requests a callback in a minute. */
const ASKS_FOR_CALLBACK = 98;

/** Records dispatched calls: completed, after a wait, without a line, hung up and cancelled. */
export async function recordDispatches(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const first = await customer.dispatch(numberEnding(0));
  const second = await customer.dispatch(numberEnding(0));
  await recording.keepClosed('dispatch-completed', workflowId.call(first));
  await recording.keepClosed('dispatch-waited-for-a-line', workflowId.call(second));
  const endless = await customer.dispatch(numberEnding(ENDLESS));
  await recording.untilSeen(workflowId.call(endless), 'TIMER_STARTED');
  const waiting = await customer.dispatch(numberEnding(0));
  await recording.keepClosed('dispatch-expired', workflowId.call(waiting));
  await recording.keep('open-dispatch-talks', workflowId.call(endless));
  await customer.hangUp(endless);
  await recording.keepClosed('dispatch-hung-up', workflowId.call(endless));
}

export async function recordCancelledCalls(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const talking = await customer.dispatch(numberEnding(ENDLESS));
  await recording.untilSeen(workflowId.call(talking), 'TIMER_STARTED');
  const waiting = await customer.dispatch(numberEnding(0));
  await recording.untilSeen(workflowId.call(waiting), 'TIMER_STARTED');
  await recording.keep('open-dispatch-waits', workflowId.call(waiting));
  await stage.temporal.workflow.getHandle(workflowId.call(waiting)).cancel();
  await recording.keepClosed('dispatch-cancelled-while-waiting', workflowId.call(waiting));
  await stage.temporal.workflow.getHandle(workflowId.call(talking)).cancel();
  await recording.keepClosed('dispatch-cancelled-while-talking', workflowId.call(talking));
}

/** The callback sleeps until it is due or until the legal window opens. The first call ends before that, when the callee hangs up. */
export async function recordCallback(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const asking = await customer.dispatch(numberEnding(ASKS_FOR_CALLBACK));
  const callback = await callbackOf(stage.temporal.workflow, asking);
  await recording.keepClosed('dispatch-asked-for-a-callback', workflowId.call(asking));
  await recording.untilSeen(callback, 'TIMER_STARTED');
  await recording.keep('open-callback-sleeps', callback);
  await customer.hangUp(callback);
  await recording.keepClosed('callback-hung-up', callback);
}

/** Last two digits in the simulator's table, by the ending that they cause. */
const KINDS: Readonly<Record<string, number>> = {
  'end-never-reported': 99,
  'no-answer-twice': 80,
  'no-answer-then-answered': 75,
  'reply-lost': 93,
  completed: 0,
  'callee-hangs-up': 70,
  'number-is-none': 74,
  busy: 85,
  rejected: 88,
  'number-refused': 89,
  voicemail: 90,
  dropped: 91,
  'carrier-failure': 92,
  'events-twice-and-shuffled': 94,
  'carrier-unavailable-at-first': 95,
  'carrier-too-busy-at-first': 96,
};

/** Records every way in which a call can end, with a campaign that has every kind of number. */
export async function recordEndings(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer();
  const kinds = Object.entries(KINDS).map(([kind, ending]) => ({ kind, number: numberEnding(ending) }));
  const campaignId = await customer.createCampaign({
    numbers: kinds.map(({ number }) => number),
    concurrency: 6,
    maxRetries: 2,
    callHook: '/accepts',
    campaignHook: '/accepts',
  });
  await recording.keepRuns('campaign-continues-as-new', workflowId.campaign(campaignId));
  for (const { phone_number: number, attempts } of await customer.contacts(campaignId)) {
    const kind = kinds.find((each) => each.number === number)?.kind ?? 'unknown';
    for (const [index, { call_id: callId }] of attempts.entries()) {
      const name = attempts.length === 1 ? `call-${kind}` : `call-${kind}-attempt-${index + 1}`;
      await recording.keepClosed(name, workflowId.call(callId));
    }
  }
}

const OURS = '+918040001000';

/** Records a number that an agent answers and later gives up, and a caller who rings it and talks. */
export async function recordInbound(stage: Stage, recording: Recording): Promise<void> {
  const customer = await stage.customer(1);
  const route = await routeOf(stage, await customer.answer(OURS));
  await recording.keepClosed('inbound-route-set', route);
  const caller = numberEnding(0);
  await stage.ring(OURS, caller);
  const call = workflowId.call(await customer.callFrom(caller));
  await recording.untilSeen(call, 'TIMER_STARTED');
  await recording.keep('open-inbound-call-talks', call);
  await recording.keepClosed('inbound-call-completed', call);
  await customer.answer('');
  await recording.keepClosed('inbound-route-removed', route);
}

/** Returns the workflow of an agent's route, which is named after the route. */
function routeOf({ temporal }: Stage, agentId: string): Promise<string> {
  return eventually('the workflow of a route', async () => {
    const query = `WorkflowType = '${WORKFLOW_TYPES.inboundRoute}' AND AgentId = '${agentId}'`;
    for await (const found of temporal.workflow.list({ query })) return found.workflowId;
    return null;
  });
}

/** Records workflows that schedules start. */
export async function recordReconciliation(stage: Stage, recording: Recording): Promise<void> {
  await keepOne(stage, recording, {
    name: 'reconcile',
    type: WORKFLOW_TYPES.reconcile,
    id: workflowId.reconcile(),
  });
}

/** The schedule normally runs once a day. Here it is started immediately. */
export async function recordRetention(stage: Stage, recording: Recording): Promise<void> {
  await stage.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
  await keepOne(stage, recording, {
    name: 'retention',
    type: WORKFLOW_TYPES.retention,
    id: workflowId.retention(),
  });
}

async function keepOne(
  { temporal }: Stage,
  recording: Recording,
  { name, type, id }: { name: string; type: string; id: string },
): Promise<void> {
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
  const pass = await eventually(`a pass of ${name}`, async () => {
    for await (const { workflowId: found, runId } of temporal.workflow.list({ query }))
      return { id: found, runId };
    return null;
  });
  if (!pass.id.startsWith(id)) throw new Error('another workflow was found');
  await recording.keep(name, pass.id, pass.runId);
}
