/** Tests the caller IDs of an agent's calls and the outcomes of dials over LiveKit. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { diallingActivities } from '../../activities/dialling/dialling';
import { dialOutcomes } from '../../activities/dialling/dial-outcomes';
import { changeAgentConfig } from '../../db/agents/changes';
import { registerNumbers } from '../../db/agents/numbers';
import { applyProgress } from '../../db/calls/events';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { RoomyCarrier, roomyDependencies, type SentSignal } from './support/roomy-carrier';

describeWith('postgres', 'a dial', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;
  let signals: SentSignal[];

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    carrier = new RoomyCarrier(() => engine.now);
    signals = [];
    await engine.db.raw(
      'delete from lines; delete from webhook_deliveries; delete from calls; delete from campaigns; delete from dnd_numbers; delete from registered_numbers',
    );
  });

  const deps = () => roomyDependencies(engine, carrier, signals);
  const dial = (callId: string, { registeredOnly = false } = {}) => {
    const settings = { ...deps().settings, registeredOnly };
    return new MockActivityEnvironment().run(() =>
      diallingActivities({ ...deps(), settings }).dial({ callId, now: engine.now }),
    );
  };

  async function placed(): Promise<string> {
    const callId = await engine.dispatch(owner);
    await dial(callId);
    carrier.done.length = 0;
    return callId;
  }

  describe("a dial with the agent's caller IDs", () => {
    const NUMBERS = ['+918000000001', '+918000000002', '+918000000003'];
    const use = (numbers: string[]) =>
      engine
        .db('agent_configs')
        .where({ agent_id: owner.agentId })
        .update({
          config: JSON.stringify({ deployment: { phone: { call_type: { Outbound: numbers } } } }),
        });
    const turns = () => engine.db('caller_id_rotation').where({ agent_id: owner.agentId });

    test("rotates the agent's caller IDs", async () => {
      await use(NUMBERS);
      for (let call = 0; call < 4; call++) await dial(await engine.dispatch(owner));
      expect(carrier.callerIds).toEqual([...NUMBERS, NUMBERS[0]]);
    });

    test("doesn't advance the rotation if the agent has at most one caller ID", async () => {
      await use(NUMBERS.slice(0, 1));
      await dial(await engine.dispatch(owner));
      await use([]);
      await dial(await engine.dispatch(owner));
      expect([carrier.callerIds, await turns()]).toEqual([[NUMBERS[0], null], []]);
    });

    test('uses another caller ID for a redial after no answer', async () => {
      await use(NUMBERS);
      const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 3, retryDelayMins: 1 });
      const { granted } = await engine.feed(owner, campaignId);
      await dial(granted[0] ?? '');
      await dial(await engine.dispatch(owner));
      await engine.end(granted[0] ?? '', 'no_answer');
      engine.now += 2 * MINUTE_MS;
      const again = await engine.feed(owner, campaignId);
      await dial(again.granted[0] ?? '');
      expect(carrier.callerIds).toEqual([NUMBERS[0], NUMBERS[1], NUMBERS[1]]);
    });

    test("ends the call without dialling if its from_number isn't one of the agent's caller IDs", async () => {
      await use(NUMBERS);
      const callId = await engine.dispatch(owner);
      await engine.db('calls').where({ call_id: callId }).update({ from_number: '+918999999999' });
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'over', callStatus: 'error' });
      expect(carrier.done).toEqual(['prepare', 'release']);
    });

    const register = async (numbers: string[], { organizationId }: Pick<Owner, 'organizationId'>) =>
      engine.db.transaction((trx) => registerNumbers(trx, { organizationId, numbers }, engine.now));
    const REFUSED = { kind: 'over', callStatus: 'error' };

    test('leaves out numbers that were registered to another organization, and rotates the others', async () => {
      await use(NUMBERS);
      await register(NUMBERS.slice(1), await engine.owner());
      await dial(await engine.dispatch(owner));
      await dial(await engine.dispatch(owner));
      expect(carrier.callerIds).toEqual([NUMBERS[0], NUMBERS[0]]);
    });

    test.each([
      ['all of the agent', NUMBERS, null],
      ['the one of the dispatch, in another spelling', [], '+9108040000001'],
    ])("never shows another organization's number as the caller ID: %s", async (_which, own, asked) => {
      await use(own);
      const callId = await engine.dispatch(owner);
      await register([...NUMBERS, '+918040000001'], await engine.owner());
      await engine.db('calls').where({ call_id: callId }).update({ from_number: asked });
      await expect(dial(callId)).resolves.toMatchObject(REFUSED);
      expect(await engine.call(callId)).toMatchObject({ end_reason: 'request_refused' });
      expect(carrier.callerIds).toEqual([]);
    });

    test("shows the organization's registered numbers, and no others if unregistered numbers are not allowed", async () => {
      const strictly = async (numbers: string[]) => {
        await use(numbers);
        return dial(await engine.dispatch(owner), { registeredOnly: true });
      };
      await register([NUMBERS[0] ?? ''], owner);
      await expect(strictly(NUMBERS)).resolves.toMatchObject({ kind: 'placed' });
      await expect(strictly(NUMBERS.slice(1))).resolves.toMatchObject(REFUSED);
      // Without caller IDs, the carrier chooses the number, and it may not be registered.
      await expect(strictly([])).resolves.toMatchObject(REFUSED);
      expect(carrier.callerIds).toEqual([NUMBERS[0]]);
    });
  });

  describe("a campaign's call whose agent has no usable caller ID", () => {
    const MINE = '+918000000001';
    const deployed = (...numbers: string[]) => ({
      deployment: { phone: { call_type: { Outbound: numbers } } },
    });
    const use = (...numbers: string[]) =>
      engine
        .db('agent_configs')
        .where({ agent_id: owner.agentId })
        .update({ config: JSON.stringify(deployed(...numbers)) });
    const register = async ({ organizationId }: Pick<Owner, 'organizationId'>) =>
      engine.db.transaction((trx) => registerNumbers(trx, { organizationId, numbers: [MINE] }, engine.now));
    const claimed = async () => {
      const webhookUrl = 'https://example.com/hook';
      const campaignId = await engine.campaign(owner, { contacts: 2, concurrency: 1, webhookUrl });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      return { campaignId, callId };
    };

    test.each([
      ['its only one is registered to another organization', [MINE], false, false],
      ['it has none, and only registered numbers are allowed', [], true, false],
      ['it has none, and the trunk chooses none', [], false, true],
    ])(
      'keeps the contact, and pauses the campaign with a reason that names the remedy: %s',
      async (_why, numbers, registeredOnly, isNeeded) => {
        await use(...numbers);
        carrier.needsCallerId = () => isNeeded;
        const { campaignId, callId } = await claimed();
        await register(await engine.owner());
        await expect(dial(callId, { registeredOnly })).resolves.toEqual({ kind: 'noLine' });
        expect(await engine.campaignRow(campaignId)).toMatchObject({
          status: 'paused',
          status_reason: expect.stringContaining('outbound number'),
          in_progress_contacts: 0,
          failed_contacts: 0,
        });
        expect(await engine.call(callId)).toMatchObject({ stage: 'waiting', call_status: 'queued' });
        expect(await engine.db('contacts').where({ campaign_id: campaignId }).pluck('state')).toEqual([
          'pending',
          'pending',
        ]);
        expect(await engine.linesOf(owner)).toEqual([]);
        expect(carrier.callerIds).toEqual([]);
        const events = await engine
          .db('webhook_deliveries')
          .where({ campaign_id: campaignId })
          .pluck('event');
        expect(events).toEqual(['campaign.status_changed']);
      },
    );

    test.each([
      ['with registered numbers only', true],
      ['over a trunk that chooses none', false],
    ])('uses the number that the agent gets before the resume: %s', async (_how, registeredOnly) => {
      await use();
      carrier.needsCallerId = () => !registeredOnly;
      const { campaignId, callId } = await claimed();
      await dial(callId, { registeredOnly });
      await register(owner);
      await changeAgentConfig(engine.db, {
        ...owner,
        numbers: [MINE],
        numberRule: { registeredOnly },
        revise: () => ({
          revision: { config: deployed(MINE), status: 'running', route: { kind: 'none' } },
        }),
        fields: [],
        actor: { kind: 'operator', id: 'test', requestId: null },
        now: engine.now,
      });
      await engine.set(campaignId, { status: 'active' });
      const { granted } = await engine.register(owner, [callId]);
      expect(granted).toContain(callId);
      carrier.done.length = 0;
      await expect(dial(callId, { registeredOnly })).resolves.toMatchObject({ kind: 'placed' });
      expect([carrier.callerIds, carrier.done]).toEqual([[MINE], ['prepare', 'dial']]);
    });
  });

  describe('a dial that the carrier rejects because of its configuration', () => {
    const standing = async (campaignId: string) => {
      const { status, status_reason: why, failed_contacts: failed } = await engine.campaignRow(campaignId);
      const states = await engine.db('contacts').where({ campaign_id: campaignId }).pluck('state');
      return { status, why, failed, states };
    };
    const granted = async (contacts: number, lines = 1) => {
      const campaignId = await engine.campaign(owner, { contacts, concurrency: lines, maxAttempts: 1 });
      return { campaignId, callIds: (await engine.feed(owner, campaignId)).granted };
    };

    test.each<[string, () => void]>([
      ['no SIP trunk', () => (carrier.answer = { kind: 'refused', faults: 'trunk', because: 'no_trunk' })],
      [
        "no SIP trunk with the platform's id",
        () => (carrier.answer = { kind: 'notPlaced', retryAfterMs: null, because: 'trunk_missing' }),
      ],
      ["rejects the platform's API key", () => void (carrier.isReady = 'refused')],
    ])('pauses the campaign with the reason "%s" and keeps each contact', async (why, given) => {
      given();
      const { campaignId, callIds } = await granted(2);
      await expect(dial(callIds[0] ?? '')).resolves.toEqual({ kind: 'noLine' });
      expect(await standing(campaignId)).toEqual({
        status: 'paused',
        why: expect.stringContaining(why),
        failed: 0,
        states: ['pending', 'pending'],
      });
      expect(await engine.linesOf(owner)).toEqual([]);
    });

    test('ends or retries a dispatched call, which has no campaign to pause', async () => {
      carrier.answer = { kind: 'refused', faults: 'trunk', because: 'no_trunk' };
      await expect(dial(await engine.dispatch(owner))).resolves.toEqual({
        kind: 'over',
        callStatus: 'error',
      });
      carrier.answer = { kind: 'notPlaced', retryAfterMs: null, because: 'trunk_missing' };
      await expect(dial(await engine.dispatch(owner))).resolves.toMatchObject({ kind: 'unavailable' });
    });

    test('retries while the SIP bridge is busy, and leaves the campaign active', async () => {
      carrier.answer = { kind: 'notPlaced', retryAfterMs: null, because: 'bridge_busy' };
      const { campaignId, callIds } = await granted(1);
      await expect(dial(callIds[0] ?? '')).resolves.toMatchObject({
        kind: 'unavailable',
        isBridgeBusy: true,
      });
      expect(await standing(campaignId)).toMatchObject({ status: 'active', failed: 0 });
    });

    const outcome = (callId: string, because: 'trunk_login' | 'trunk_forbids') =>
      dialOutcomes(deps())(callId, { kind: 'ended', endReason: 'carrier_failure', because });

    test('fails the call and pauses the campaign when the trunk login fails after the INVITE', async () => {
      const { campaignId, callIds } = await granted(3);
      await dial(callIds[0] ?? '');
      await outcome(callIds[0] ?? '', 'trunk_login');
      const { states, ...campaign } = await standing(campaignId);
      expect(campaign).toEqual({ status: 'paused', why: expect.stringContaining('password'), failed: 1 });
      expect(states.sort()).toEqual(['failed', 'pending', 'pending']);
    });

    test('pauses the campaign at the fifth forbidden dial in a row', async () => {
      const { campaignId, callIds } = await granted(7, 6);
      const statuses: unknown[] = [];
      for (const callId of callIds.slice(0, 6)) {
        await dial(callId);
        if (statuses.length === 0) await engine.end(callId, 'busy');
        else await outcome(callId, 'trunk_forbids');
        statuses.push((await standing(campaignId)).status);
      }
      expect(statuses).toEqual(['active', 'active', 'active', 'active', 'active', 'paused']);
    });
  });

  describe('a dial whose outcome is reported', () => {
    const recordOutcome = (callId: string, outcome: Parameters<ReturnType<typeof dialOutcomes>>[1]) =>
      dialOutcomes(deps())(callId, outcome);

    test('ends the call with the exact reason, frees its line and wakes its workflow', async () => {
      const callId = await placed();
      await recordOutcome(callId, { kind: 'ended', endReason: 'rejected' });
      expect(await engine.call(callId)).toMatchObject({ stage: 'over', end_reason: 'rejected' });
      expect(await engine.linesOf(owner)).toEqual([]);
      expect(signals).toContainEqual({ id: callId, name: 'callEnded', args: [{ callStatus: 'rejected' }] });
    });

    test('changes nothing if the call has already ended, and wakes the workflow with that end', async () => {
      const callId = await placed();
      await engine.end(callId, 'busy');
      await recordOutcome(callId, { kind: 'ended', endReason: 'rejected' });
      expect(await engine.call(callId)).toMatchObject({ end_reason: 'busy' });
      expect(signals).toContainEqual({ id: callId, name: 'callEnded', args: [{ callStatus: 'busy' }] });
    });

    test.each([
      ['the phone was ringing, reported or not', true, false, 'no_answer', 'no answer'],
      ['the ringing is unknown', null, false, 'no_answer', 'no answer'],
      ['the phone had rung before, as the agent reported', false, true, 'no_answer', 'no answer'],
      ['the trunk sent no provisional response', false, false, 'carrier_failure', 'failed'],
    ])(
      'records an unanswered dial as no answer or as a carrier failure: %s',
      async (_what, hasRung, isReported, endReason, callStatus) => {
        const callId = await placed();
        const at = new Date(engine.now).toISOString();
        const ringing = { reference: callId, carrierId: callId, type: 'ringing', at } as const;
        if (isReported) await applyProgress(engine.db, [ringing], { now: engine.now, creditsPerMinute: 1 });
        await recordOutcome(callId, { kind: 'rangOut', hasRung });
        expect(await engine.call(callId)).toMatchObject({ end_reason: endReason, call_status: callStatus });
      },
    );

    test('records the answer without knowing who answered', async () => {
      const callId = await placed();
      await recordOutcome(callId, { kind: 'answered' });
      expect(await engine.call(callId)).toMatchObject({
        stage: 'placed',
        call_status: 'in progress',
        answered_at: new Date(engine.now),
        answered_by: null,
      });
    });

    test('ends the call even if the outcome arrives before the dial is recorded', async () => {
      carrier.dial = async ({ reference }) => {
        await recordOutcome(reference, { kind: 'ended', endReason: 'busy' });
        return { kind: 'placed', carrierId: reference };
      };
      const callId = await engine.dispatch(owner);
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'placed' });
      expect(await engine.call(callId)).toMatchObject({
        stage: 'over',
        end_reason: 'busy',
        carrier_id: callId,
      });
    });
  });
});
