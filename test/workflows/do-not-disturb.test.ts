import { registryCheck, RegistryUnavailable } from '../../activities/dialling/do-not-disturb/registry-check';
import { rows } from '../../db/kernel/query';
import { callProgressQuery, workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type StartedCampaign } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const LISTED = '+919800000000';
const CLEAR = '+919800000001';

jest.setTimeout(60_000);

describeWith('time-skipping', 'a campaign that checks for do-not-disturb numbers', () => {
  let engine: TimeSkippingEngine;
  let isDown: boolean;
  let asked: string[];

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
    isDown = false;
    asked = [];
  });
  afterEach(() => engine.stop());

  const withRegistry = (whenDown: 'refuse' | 'dial' = 'refuse') => {
    let elapsed = 0;
    engine.dndRegistry = registryCheck({
      db: engine.db,
      registry: {
        isListed: (phoneNumber) => {
          asked.push(phoneNumber);
          if (isDown) return Promise.reject(new RegistryUnavailable('status 500'));
          return Promise.resolve(phoneNumber === LISTED);
        },
      },
      log: { warn: () => undefined },
      keptForMs: 24 * 60 * MINUTE_MS,
      whenDown,
      // Advances by a minute per check, so that each pause is over. Skipped time doesn't affect this clock.
      elapsedMs: () => (elapsed += MINUTE_MS),
    });
  };
  const contactsOf = ({ id }: StartedCampaign) =>
    rows<{ state: string; reason: string | null; attempts: number }>(
      engine.db,
      'select state, reason, attempts from contacts where campaign_id = :id order by row_number',
      { id },
    );
  /** Waits until the call's workflow shows this step. The clock doesn't advance while it waits. */
  const untilStep = async (callId: string, step: string): Promise<void> => {
    const handle = engine.env.client.workflow.getHandle(workflowId.call(callId));
    while ((await handle.query(callProgressQuery)).step !== step) await new Promise(setImmediate);
  };
  const dialled = () => engine.carrier.dials.map(({ to }) => to);

  test("dials no number on its organization's list, and doesn't query the registry about it", async () => {
    withRegistry();
    await engine.run(async () => {
      const numbers = ['+919800000002', CLEAR];
      const campaign = await engine.createCampaign({ numbers, performDndCheck: true, fromDay: 1 });
      const [phone_number] = numbers;
      await engine.db('dnd_numbers').insert({
        organization_id: campaign.organizationId,
        phone_number,
        source: 'test',
        added_at: new Date(),
      });
      await campaign.finish();
      expect(await contactsOf(campaign)).toEqual([
        { state: 'dnd', reason: 'dnd', attempts: 0 },
        { state: 'completed', reason: null, attempts: 1 },
      ]);
    });
    expect([dialled(), asked]).toEqual([[CLEAR], [CLEAR]]);
  });

  test('dials no number on the registry, and queries it once per number', async () => {
    withRegistry();
    engine.carrier.script(CLEAR, [{ endReason: 'busy', talkMs: 1_000 }]);
    await engine.run(async () => {
      const numbers = [LISTED, CLEAR];
      const campaign = await engine.createCampaign({ numbers, performDndCheck: true, maxAttempts: 3 });
      await campaign.finish();
      expect(await contactsOf(campaign)).toEqual([
        { state: 'dnd', reason: 'dnd', attempts: 0 },
        { state: 'failed', reason: 'busy', attempts: 3 },
      ]);
    });
    expect(dialled()).toEqual([CLEAR, CLEAR, CLEAR]);
    expect(asked.sort()).toEqual([LISTED, CLEAR]);
  });

  test('dials nothing while the registry is down, and dials unlisted numbers once it is back', async () => {
    withRegistry();
    isDown = true;
    await engine.run(async () => {
      const numbers = [LISTED, CLEAR];
      const options = { numbers, performDndCheck: true, retryDelayMins: 30, maxAttempts: 3 };
      const campaign = await engine.createCampaign(options);
      await engine.sleep(10 * MINUTE_MS);
      expect(dialled()).toEqual([]);
      expect(await contactsOf(campaign)).toEqual([
        { state: 'pending', reason: null, attempts: 1 },
        { state: 'pending', reason: null, attempts: 1 },
      ]);
      isDown = false;
      await campaign.finish();
      expect(await contactsOf(campaign)).toEqual([
        { state: 'dnd', reason: 'dnd', attempts: 1 },
        { state: 'completed', reason: null, attempts: 2 },
      ]);
    });
    expect(dialled()).toEqual([CLEAR]);
  });

  test('ends contacts as unverified if the registry stays down', async () => {
    withRegistry();
    isDown = true;
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [CLEAR],
        performDndCheck: true,
        maxAttempts: 2,
      });
      await campaign.finish();
      expect(await contactsOf(campaign)).toMatchObject([{ state: 'dnd', reason: 'dnd_unverified' }]);
      // Each of the two checks sends several queries, because it retries for a minute.
      expect(asked.length).toBeGreaterThan(2);
    });
    expect(dialled()).toEqual([]);
  });

  test('dials while the registry is down if the operator allows it', async () => {
    withRegistry('dial');
    isDown = true;
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: [CLEAR], performDndCheck: true });
      await campaign.finish();
    });
    expect(dialled()).toEqual([CLEAR]);
  });

  test('shows operators what a call waits for, first the registry and then the carrier', async () => {
    withRegistry();
    isDown = true;
    engine.carrier.answerDial = () => ({ kind: 'notPlaced', retryAfterMs: null });
    await engine.run(async () => {
      const call = await engine.dispatch(CLEAR);
      await untilStep(call.callId, "the do-not-disturb registry isn't responding: retrying");
      isDown = false;
      await engine.sleep(MINUTE_MS / 4);
      await untilStep(call.callId, 'the carrier accepts no calls at the moment: retrying');
      engine.carrier.answerDial = null;
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
  });

  test("doesn't query the registry if the campaign disables the check", async () => {
    withRegistry();
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: [LISTED] });
      await campaign.finish();
    });
    expect([dialled(), asked]).toEqual([[LISTED], []]);
  });

  test("records a person who opts out in a call, marks the webhook, and doesn't dial the person again", async () => {
    engine.carrier.script(CLEAR, [
      { endReason: 'callee', talkMs: MINUTE_MS, says: 'Call me tomorrow. No, please never call me again' },
    ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [CLEAR],
        perCallWebhookUrl: 'https://example.com/hook',
      });
      const config = JSON.stringify({ analysis: { do_not_call: true } });
      await engine.db('agent_configs').where({ agent_id: campaign.agentId }).update({ config });
      await campaign.finish();
      const call = await engine.dispatch(CLEAR, { owner: campaign });
      await expect(call.result()).resolves.toEqual({ callStatus: 'DND' });
    });
    expect(engine.receiver.posts.map(({ body }) => [body.event, body.do_not_call])).toEqual([
      ['call.completed', true],
    ]);
    expect(dialled()).toEqual([CLEAR]);
  });
});
