import { randomUUID } from 'node:crypto';
import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

/**
 * Reconciliation runs every 10 s. It checks a call without a workflow after 20 s without news, and starts an overdue delivery after 10 s.
 */
const REPAIRED_WITHIN_MS = 120_000;

/** Few enough that even a busy machine catches each phone while it rings. */
const AT_ONCE = 6;

type Phase = 'waiting' | 'ringing' | 'talking' | 'delivering' | 'done';
type Action = 'cancel' | 'terminate' | 'reset to first' | 'reset to last';

/**
 * Final state of the contact, and the number of calls placed. A contact whose callee talks is reached, even if the workflow
 * stops.
 */
const ENDS: readonly (readonly [Phase, Action, state: string, placed: number])[] = [
  ['waiting', 'cancel', 'cancelled', 0],
  ['waiting', 'terminate', 'cancelled', 0],
  ['waiting', 'reset to first', 'completed', 1],
  ['waiting', 'reset to last', 'completed', 1],
  ['ringing', 'cancel', 'cancelled', 1],
  ['ringing', 'terminate', 'completed', 1],
  ['ringing', 'reset to first', 'completed', 1],
  ['ringing', 'reset to last', 'completed', 1],
  ['talking', 'cancel', 'completed', 1],
  ['talking', 'terminate', 'completed', 1],
  ['talking', 'reset to first', 'completed', 1],
  ['talking', 'reset to last', 'completed', 1],
  ['delivering', 'cancel', 'completed', 1],
  ['delivering', 'terminate', 'completed', 1],
  ['delivering', 'reset to first', 'completed', 1],
  ['delivering', 'reset to last', 'completed', 1],
  ['done', 'reset to first', 'completed', 1],
  ['done', 'reset to last', 'completed', 1],
];

describeWith('temporal', 'an operator in the Web UI', () => {
  let platform: Platform;
  const runs = new Map<string, { campaign: CampaignRun; number: string }>();
  /** Campaigns whose receiver rejects the first attempt of each call's webhook. */
  const refusing = new Set<string>();

  /** Runs cases concurrently, because each one waits for reconciliation. */
  beforeAll(async () => {
    platform = await Platform.open({
      // The machine may stall for two seconds between detecting a ringing phone and acting on its call.
      ringMs: 2500,
      talkMs: 3000,
      environment: { DISPATCH_WAIT_LIMIT_S: '5' },
    });
    platform.receiver.refuses = ({ path, body, headers }) =>
      path === '/calls' && refusing.has(body.contact.phone) && headers['x-service-delivery-attempt'] === '1';
    for (let first = 0; first < ENDS.length; first += AT_ONCE) {
      await Promise.all(ENDS.slice(first, first + AT_ONCE).map(([phase, action]) => play(phase, action)));
    }
  }, START_WITHIN_MS + 180_000);
  afterAll(() => platform.close());

  const handleOf = (id: string) => platform.temporal.workflow.getHandle(id);

  const act = async (id: string, action: Action): Promise<void> => {
    if (action === 'cancel') await handleOf(id).cancel();
    else if (action === 'terminate') await handleOf(id).terminate('by a test');
    else await reset(id, action);
  };

  /** Equivalent to `temporal workflow reset --type FirstWorkflowTask` or `LastWorkflowTask`. */
  const reset = async (id: string, action: 'reset to first' | 'reset to last'): Promise<void> => {
    // A phone may ring before the workflow task that dialled it is recorded, and Temporal refuses a reset that meets a task's commit.
    await eventually(20_000, async () => {
      const { runId } = await handleOf(id).describe();
      const { events } = await platform.temporal.workflow.getHandle(id, runId).fetchHistory();
      const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
      const task = action === 'reset to first' ? tasks[0] : tasks.at(-1);
      if (!task?.eventId) throw new Error('no workflow task was done yet');
      await platform.temporal.workflowService.resetWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId: id, runId },
        reason: 'by a test',
        workflowTaskFinishEventId: task.eventId,
        requestId: randomUUID(),
      });
    });
  };

  /** Runs a campaign with one line and two contacts. The contact under test comes second if it must wait, otherwise first. */
  const play = async (phase: Phase, action: Action): Promise<void> => {
    const [other = ''] = talkers(1);
    const [number = ''] = freshNumbers([phase === 'ringing' ? 97 : 1]);
    if (phase === 'delivering') refusing.add(number);
    const numbers = phase === 'waiting' ? [other, number] : [number, other];
    const campaign = await platform.campaign({ numbers, concurrency: 1, maxRetries: 1 });
    runs.set(`${phase} ${action}`, { campaign, number });
    await act(await callIn(phase, campaign, number), action);
  };

  /** Returns the call's workflow id once the call has reached this phase. */
  const callIn = (phase: Phase, campaign: CampaignRun, number: string): Promise<string> =>
    eventually(90_000, async () => {
      const [call] = await platform.db('calls').where({ campaign_id: campaign.id, to_number: number });
      const received = campaign.received('/calls').some(({ call_id: callId }) => callId === call?.call_id);
      const reached =
        call !== undefined &&
        {
          waiting: call.stage === 'waiting' && campaign.carrier().placed.length === 1,
          ringing: call.call_status === 'ringing',
          talking: call.call_status === 'in progress',
          delivering: received,
          done: received && (await handleOf(call.call_id).describe()).status.name === 'COMPLETED',
        }[phase];
      if (!reached) throw new Error(`the call is not ${phase}: ${call?.stage} ${call?.call_status}`);
      return workflowId.call(call.call_id);
    });

  const acceptedCalls = (campaign: CampaignRun): any[] =>
    platform.receiver
      .of(campaign.id, '/calls')
      .filter(({ accepted }) => accepted)
      .map(({ body }) => body);

  test.each(ENDS)(
    'ends the contact of a %s call after %s as %s, with %i dials and one event id',
    async (phase, action, state, placed) => {
      const run = runs.get(`${phase} ${action}`);
      if (run === undefined) throw new Error('was not played');
      const { campaign, number } = run;
      await campaign.untilOver('completed', REPAIRED_WITHIN_MS);
      const contacts = await campaign.contacts();
      expect(Object.fromEntries(contacts.map((contact) => [contact.phone_number, contact.state]))).toEqual({
        ...Object.fromEntries(campaign.numbers.map((each) => [each, 'completed'])),
        [number]: state,
      });
      const carrier = campaign.carrier();
      expect(carrier.placedTo(number)).toHaveLength(placed);
      expect(carrier.placed).toHaveLength(placed + 1);
      expect(carrier.peakLive).toBe(1);
      // Each dialled call has one accepted delivery, and all its attempts share an event id.
      await eventually(60_000, () =>
        expect(
          acceptedCalls(campaign)
            .map(({ call_id: callId }) => callId)
            .sort(),
        ).toEqual([...carrier.dialled].sort()),
      );
      const eventIds = new Set(campaign.received('/calls').map(({ event_id: eventId }) => eventId));
      expect(eventIds.size).toBe(carrier.dialled.size);
    },
    REPAIRED_WITHIN_MS + 60_000,
  );

  test('finds all workflows of a campaign by its id, each with a summary', async () => {
    const campaign = await platform.campaign({ numbers: talkers(1), concurrency: 1 });
    await campaign.untilOver('completed', 30_000);
    await eventually(10_000, async () => {
      const found = new Map<string, string | undefined>();
      for await (const { type, workflowId: id, runId } of platform.temporal.workflow.list({
        query: `CampaignId = '${campaign.id}'`,
      })) {
        // A later run of the campaign may lack the summary, so keep that of the first run.
        const run = await platform.temporal.workflow.getHandle(id, runId).describe();
        found.set(type, (await run.staticSummary()) ?? found.get(type));
      }
      expect(Object.fromEntries(found)).toEqual({
        campaignWorkflow: expect.stringMatching(/^campaign of 1 contacts, organization /),
        callWorkflow: 'call attempt 1 of 3',
        deliveryWorkflow: 'webhook of a campaign',
      });
    });
  }, 60_000);

  test('resets an answered dispatch without treating it as waiting for a line, and ends it on a hang-up', async () => {
    const [number = ''] = freshNumbers([73]);
    const organization = await platform.newOrganization(1);
    const { body } = await organization.dispatch(number);
    const callId: string = body.output.call_id;
    await eventuallyTrue(20_000, 'it talks', async () => {
      const { body: history } = await organization.get('/api/call-history');
      return history.data[0]?.call_status === 'in progress';
    });
    await reset(workflowId.call(callId), 'reset to first');
    await eventually(20_000, async () =>
      expect(await handleOf(workflowId.call(callId)).query('progress')).toEqual({
        step: 'waiting for the end of the call',
        callStatus: null,
      }),
    );
    await organization.post(`/api/calls/${callId}/hangup`);
    expect(await handleOf(workflowId.call(callId)).result()).toEqual({ callStatus: 'completed' });
    expect(platform.carrier([number]).placed).toHaveLength(1);
  }, 60_000);

  test.each(['reset to first', 'reset to last'] as const)(
    'loses and repeats nothing after a %s of a dialling, paused or finished campaign',
    async (action) => {
      const numbers = [...talkers(6), ...freshNumbers([75, 85])];
      const campaign = await platform.campaign({ numbers, concurrency: 3 });
      const id = workflowId.campaign(campaign.id);
      await campaign.untilPlaced(3);
      await reset(id, action);
      await campaign.untilPlaced(4, 30_000);
      await campaign.command('pause');
      await reset(id, action);
      await eventuallyTrue(20_000, 'the live calls end', () => campaign.carrier().live === 0);
      const placed = campaign.carrier().placed.length;
      await campaign.command('resume');
      await campaign.untilPlaced(placed + 1);
      await campaign.untilOver('completed', 60_000);
      await handleOf(id).result();
      await reset(id, action);
      expect(await handleOf(id).result()).toEqual({ status: 'completed' });
      await campaign.expectNothingLost();
      campaign.expectAllNotified();
    },
    150_000,
  );
});
