/** Tests that a call's line becomes free and its contact isn't lost, at any point where the call can die and for any cause. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities';
import type { WorkflowStarter } from '../../activities/dependencies';
import { CarrierUnreachable, type CarrierCall } from '../../activities/telephony/port';
import { recordNotPlaced } from '../../db/calls/engine';
import { withdrawRest } from '../../db/campaigns/engine';
import { hangUp } from '../../db/calls/hang-up';
import { rows } from '../../db/kernel/query';
import { workflowId } from '../../workflows/contract';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { listed } from '../servers/listed-workflows';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { idleDependencies } from './support/idle-dependencies';
import { violations } from './support/invariants';
import { carrierCall } from './support/carrier-call';

const STAGES = ['claimed', 'waiting', 'granted', 'asked in vain', 'requested', 'placed'] as const;
type Stage = (typeof STAGES)[number];
const OWNERS = ['a campaign', 'a dispatch'] as const;
type Kind = (typeof OWNERS)[number];

const actor = { kind: 'operator', id: 'test', requestId: null } as const;

describeWith('postgres', 'a line', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: 'unreachable' | 'knows nothing' | 'live' | 'ended';
  let workflows: 'running' | 'closed' | 'missing';
  let hungUp: string[];
  let started: string[];
  /** Call that holds the organization's only line while another call waits for that line. */
  let holder: string | null;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(1);
    [carrier, workflows, hungUp, started, holder] = ['knows nothing', 'running', [], [], null];
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
  });

  const activities = () => {
    const starter: WorkflowStarter = {
      state: () => Promise.resolve(workflows),
      startOnce: (_type, id) => Promise.resolve(void started.push(id)),
      openSince: () => listed(),
    };
    return createActivities({
      db: engine.db,
      telephony: {
        now: () => Promise.resolve(engine.now),
        held: () => Promise.resolve([]),
        find: (reference: string) => {
          if (carrier === 'unreachable') return Promise.reject(new CarrierUnreachable('unreachable'));
          return Promise.resolve({
            calls: carrier === 'knows nothing' ? [] : [shown(reference)],
            carrierTime: engine.now,
          });
        },
        hangUp: (carrierId: string) => {
          if (carrier === 'unreachable') return Promise.reject(new CarrierUnreachable('unreachable'));
          return Promise.resolve(void hungUp.push(carrierId));
        },
      } as any,
      signals: { getHandle: () => ({ signal: () => Promise.resolve() }) },
      workflows: starter,
      ...idleDependencies(engine),
    });
  };
  const shown = (reference: string): CarrierCall =>
    carrierCall({
      carrierId: `sim-${reference}`,
      reference,
      answeredBy: 'human',
      ...(carrier === 'ended'
        ? { state: 'ended', endReason: 'agent', endedAt: new Date(engine.now).toISOString() }
        : { state: 'answered' }),
    });

  /** Returns a call in the given stage. Its organization has one line. */
  async function callAt(stage: Stage, kind: Kind): Promise<{ callId: string; campaignId: string | null }> {
    const campaignId = kind === 'a campaign' ? await engine.campaign(owner, { contacts: 1 }) : null;
    const callId =
      campaignId === null
        ? await engine.dispatch(owner, { queued: false })
        : ((await engine.claim(campaignId)).claimed[0]?.callId ?? '');
    if (stage === 'claimed') return { callId, campaignId };
    if (stage === 'waiting') holder = await engine.dispatch(owner);
    await engine.register(owner, [callId]);
    if (stage === 'waiting') return { callId, campaignId };
    if (stage !== 'granted') await engine.begin(callId);
    if (stage === 'asked in vain') await recordNotPlaced(engine.db, callId, engine.now + 3_000);
    if (stage === 'placed') await engine.place(callId);
    return { callId, campaignId };
  }

  const CASES = OWNERS.flatMap((kind) => STAGES.map((stage) => [stage, kind] as const));
  const live = (stage: Stage) => stage === 'requested' || stage === 'placed';

  /** Expects that the line is free, that no invariant is violated, and that the next call gets the line. */
  async function expectFree(callId: string, stage: 'over' | 'waiting' = 'over'): Promise<void> {
    if (holder !== null) await engine.end(holder, 'cancelled');
    expect(await engine.stages([callId])).toEqual([stage]);
    expect(await engine.linesOf(owner)).toEqual([]);
    expect(await violations(engine)).toEqual([]);
    const next = await engine.dispatch(owner);
    expect(await engine.linesOf(owner)).toEqual([next]);
  }

  describe.each(CASES)('the line of a call that is %s and belongs to %s', (stage, kind) => {
    test.each([
      'agent',
      'busy',
      'carrier_failure',
      'carrier_unavailable',
      'lost',
      'dnd',
      'cancelled',
    ] as const)('frees the line when the call ends: %s', async (endReason) => {
      const { callId } = await callAt(stage, kind);
      await engine.end(callId, endReason);
      await expectFree(callId);
    });

    test('frees the line when the callee hangs up', async () => {
      const { callId } = await callAt(stage, kind);
      const end = callEndOf(endedAt(engine.now, 'cancelled'), 1);
      await hangUp(engine.db, { callId, organizationId: owner.organizationId, actor }, end, engine.now);
      if (live(stage)) {
        expect(await engine.linesOf(owner)).toEqual([callId]);
        await engine.end(callId, 'platform');
      }
      await expectFree(callId);
    });

    test.each(['unreachable', 'knows nothing', 'live', 'ended'] as const)(
      'frees the line when the call is given up after its deadline: the carrier is %s',
      async (state) => {
        const { callId } = await callAt(stage, kind);
        carrier = state;
        await activities().resolveCall({ callId, giveUp: true, now: engine.now });
        await expectFree(callId);
        expect(hungUp).toEqual(state === 'live' ? [`sim-${callId}`] : []);
      },
    );

    test('frees the line when an operator cancels the workflow', async () => {
      const { callId } = await callAt(stage, kind);
      carrier = 'live';
      const engaged = activities();
      if ((await engaged.stopCall({ callId, now: engine.now })) === null) {
        expect(hungUp).toEqual([`sim-${callId}`]);
        carrier = 'ended';
        await engaged.resolveCall({ callId, giveUp: false, now: engine.now });
      }
      await expectFree(callId);
    });

    test.each(['closed', 'missing'] as const)(
      'frees the line in time when the workflow is %s and the carrier reports the end',
      async (state) => {
        const { callId } = await callAt(stage, kind);
        [workflows, carrier] = [state, 'ended'];
        await reconcileFor(MINUTE_MS + 15_000);
        await expectGone(callId, stage, kind);
      },
    );

    test('eventually frees the line when the workflow is closed and the carrier never reports', async () => {
      const { callId } = await callAt(stage, kind);
      [workflows, carrier] = ['closed', 'unreachable'];
      await reconcileFor(66 * MINUTE_MS, 5 * MINUTE_MS);
      await expectGone(callId, stage, kind);
    });
  });

  test.each(['requested', 'placed'] as const)(
    'frees the line half a minute after the unreported end of a call that was %s, even if the workflow sleeps',
    async (stage) => {
      const { callId } = await callAt(stage, 'a campaign');
      carrier = 'live';
      await reconcileFor(5 * MINUTE_MS, MINUTE_MS);
      expect(await engine.linesOf(owner)).toEqual([callId]);
      carrier = 'ended';
      await reconcileFor(30_000);
      await expectFree(callId);
    },
  );

  /** Runs one pass of reconciliation every `everyMs`, like the schedule. */
  async function reconcileFor(ms: number, everyMs = 15_000): Promise<void> {
    const until = engine.now + ms;
    while (engine.now < until) {
      engine.now += everyMs;
      await new MockActivityEnvironment().run(() => activities().reconcile({ afterOutage: false }));
    }
  }

  /**
   * Expects that a dispatch without a workflow gets one, and that a dispatch whose workflow closed ends. A campaign's claimed call is left
   * to its campaign, whose workflow is started again.
   */
  async function expectGone(callId: string, stage: Stage, kind: Kind): Promise<void> {
    if (stage !== 'claimed' || (kind === 'a dispatch' && workflows === 'closed')) return expectFree(callId);
    expect(await engine.linesOf(owner)).toEqual([]);
    const [row] = await rows<{ id: string | null }>(
      engine.db,
      'select campaign_id as id from calls where call_id = :callId',
      { callId },
    );
    const starts = kind === 'a dispatch' ? workflowId.call(callId) : workflowId.campaign(row?.id ?? '');
    expect(started).toContain(starts);
  }

  describe.each(STAGES)('the line of a campaign whose call is %s', (stage) => {
    test.each([
      ['cancelled', 'cancelled'],
      ['expired', 'campaign_over'],
    ] as const)(
      'frees the line when the campaign is %s, at once or when the call ends',
      async (state, endReason) => {
        const { callId, campaignId } = await callAt(stage, 'a campaign');
        await withdrawRest(
          engine.db,
          campaignId ?? '',
          { contactState: state, callStatus: state, endReason },
          engine.now,
        );
        if (live(stage)) {
          expect(await engine.linesOf(owner)).toEqual([callId]);
          await engine.end(callId, 'no_answer');
        }
        await expectFree(callId);
      },
    );

    test('frees the line when max_attempts is lowered below the attempt of its call', async () => {
      const { callId, campaignId } = await callAt(stage, 'a campaign');
      // Pretends that the contact was dialled before.
      await engine.db('calls').where({ call_id: callId }).update({ attempt: 2 });
      await engine.db('contacts').where({ campaign_id: campaignId }).update({ attempts: 1 });
      await engine.set(campaignId ?? '', { max_attempts: 1 });
      await engine.db.raw('select give_up_redials(?, ?)', [campaignId, new Date(engine.now)]);
      if (live(stage)) await engine.end(callId, 'no_answer');
      await expectFree(callId);
      expect((await engine.contacts(campaignId ?? ''))[0]?.state).toBe('failed');
    });
  });

  test.each(['granted', 'asked in vain'] as const)(
    'frees the line when a call that is %s returns it',
    async (stage) => {
      const { callId, campaignId } = await callAt(stage, 'a campaign');
      await engine.set(campaignId ?? '', { status: 'paused' });
      await engine.returnLine(callId);
      await expectFree(callId, 'waiting');
    },
  );
});
