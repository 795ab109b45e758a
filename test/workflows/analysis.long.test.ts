import { openAiModel } from '../../activities/analysis/openai-model';
import { startModelStandIn, type ModelStandIn, type Reply } from '../../dev/model-stand-in/server';
import { recordCallbackWish, recordUsage } from '../../db/calls/reports';
import { firstRow, rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const TO = '+919800000001';
const WORDS = 'Secretly I would like the gold plan';
const MODEL = 'reader';

const ANSWER = {
  summary: 'The person wants gold.',
  sentiment: 'positive',
  outcome: 'interested',
  callback_requested: false,
  callback_quote: null,
  callback_at: null,
  facts: { fact_1: 'gold' },
};
const ANSWERED: Reply = { text: JSON.stringify(ANSWER) };
const CONFIG = {
  analysis: {
    extraction: {
      data_collection: { enabled: true, data_points: [{ name: 'plan', prompt: 'Which?', values: ['gold'] }] },
    },
  },
};

jest.setTimeout(60_000);

describeWith('time-skipping', 'a call that a language model reads', () => {
  let engine: TimeSkippingEngine;
  let standIn: ModelStandIn;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
    standIn = await startModelStandIn();
    engine.model = openAiModel({ url: standIn.url, key: null, model: MODEL, timeoutMs: 10_000 });
    engine.carrier.script(TO, [{ endReason: 'agent', talkMs: 30_000, says: WORDS }]);
  });
  afterEach(async () => {
    await standIn.close();
    await engine.stop();
  });

  const owner = async () => {
    const made = await engine.createClient();
    await engine
      .db('agent_configs')
      .where({ agent_id: made.agentId })
      .update({ config: JSON.stringify(CONFIG) });
    return made;
  };
  const recordOf = (callId: string) =>
    firstRow<any>(
      engine.db,
      `select k.post_processing_status as status, k.summary, k.entity, k.outcome, k.callback_requested as callback, k.conversation_quality as quality,
         k.callback_at as "callbackAt", m.method, m.failure, m.answer, m.usage
       from calls k left join call_analyses m using (call_id) where k.call_id = :callId`,
      { callId },
    );
  const eventsOf = async (callId: string) => {
    const { events } = await engine.env.client.workflow.getHandle(callId).fetchHistory();
    return events ?? [];
  };
  /** EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED */
  const isSignal = ({ eventType }: { eventType?: unknown }) => String(eventType) === '26';
  /** Dispatches a call and waits until it has ended and is concluded. */
  const called = async () => {
    const call = await engine.dispatch(TO, { owner: await owner() });
    await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    return call.callId;
  };

  test("concludes a call with the model's answer", async () => {
    standIn.script(MODEL, [ANSWERED]);
    engine.rates = { 'openai/*': { per_request: 0.25 } };
    await engine.run(async () => {
      const record = await recordOf(await called());
      expect(record).toMatchObject({
        status: 'completed',
        summary: ANSWER.summary,
        entity: { plan: 'gold' },
        outcome: 'interested',
        method: 'model',
        failure: null,
        answer: null,
        usage: [{ kind: 'llm', model: MODEL, purpose: 'analysis', requests: 1, cost: 0.25 }],
      });
    });
  });

  test('stores no spoken words and no findings in Temporal', async () => {
    standIn.script(MODEL, [{ status: 500 }, ANSWERED]);
    await engine.run(async () => {
      const events = JSON.stringify(await eventsOf(await called()));
      const decoded = events.replace(/"data":"([^"]*)"/g, (_all, data: string) =>
        Buffer.from(data, 'base64').toString(),
      );
      for (const secret of ['Secretly', 'gold', TO, 'A contact']) expect(decoded).not.toContain(secret);
      expect(decoded).toContain('a language model analyses the transcript');
    });
  });

  test('shows the call as processing while the model works', async () => {
    standIn.script(MODEL, [{ ...ANSWERED, delayMs: 700 }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner: await owner() });
      const result = call.result();
      const statuses = new Set<string>();
      let isOver = false;
      void result.then(() => (isOver = true));
      while (!isOver) statuses.add((await recordOf(call.callId))?.status);
      expect([...statuses]).toContain('processing');
    });
  });

  test("sends a call's webhook only after the model has answered", async () => {
    standIn.script(MODEL, [{ status: 503 }, { status: 503 }, ANSWERED]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [TO],
        perCallWebhookUrl: 'https://receiver.example/call',
      });
      await engine
        .db('agent_configs')
        .where({ agent_id: campaign.agentId })
        .update({ config: JSON.stringify(CONFIG) });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(standIn.requests(MODEL)).toHaveLength(3);
    const bodies = await rows<any>(
      engine.db,
      "select body::jsonb as body from webhook_deliveries where event = 'call.completed'",
    );
    expect(bodies.map(({ body }) => body.summary)).toEqual([ANSWER.summary]);
  });

  test('waits minutes for an unreachable model', async () => {
    standIn.script(MODEL, [...Array.from({ length: 7 }, () => ({ status: 503 })), ANSWERED]);
    const begun = await engine.now();
    await engine.run(async () => {
      expect(await recordOf(await called())).toMatchObject({ method: 'model', failure: null });
    });
    expect((await engine.now()) - begun).toBeGreaterThan(2 * MINUTE_MS);
  });

  test('analyses a call by rules if the model stays unreachable for twenty minutes', async () => {
    standIn.script(MODEL, [{ status: 503 }]);
    await engine.run(async () => {
      const callId = await called();
      expect(await recordOf(callId)).toMatchObject({
        status: 'completed',
        method: 'rules',
        failure: 'unavailable',
        entity: { plan: 'gold' },
      });
      const events = await eventsOf(callId);
      const at = (type: string) => {
        const event = events.find(({ eventType }) => String(eventType) === type);
        return Number(event?.eventTime?.seconds);
      };
      const minutes = (at('13') - at('10')) / 60;
      expect(minutes).toBeGreaterThan(15);
      expect(minutes).toBeLessThan(25);
    });
  });

  test.each<[string, Reply[], number, string]>([
    ['rejects the request', [{ status: 401 }], 1, 'refused'],
    ['never answers in the requested form', [{ text: 'I cannot say.' }], 3, 'invalid'],
  ])('analyses a call by rules immediately if the model %s', async (_what, script, asked, failure) => {
    standIn.script(MODEL, script);
    await engine.run(async () => {
      expect(await recordOf(await called())).toMatchObject({ method: 'rules', failure, status: 'completed' });
    });
    expect(standIn.requests(MODEL)).toHaveLength(asked);
  });

  test('schedules the callback at the time that the model found', async () => {
    const at = new Date((await engine.now()) + 2 * 24 * 60 * MINUTE_MS);
    at.setUTCHours(6, 0, 0, 0);
    standIn.script(MODEL, [
      {
        text: JSON.stringify({
          ...ANSWER,
          callback_requested: true,
          callback_quote: 'I would like the gold plan',
          callback_at: at.toISOString(),
        }),
      },
    ]);
    await engine.run(async () => {
      expect(await recordOf(await called())).toMatchObject({
        callback: true,
        callbackAt: at,
        outcome: 'callback_requested',
      });
    });
  });

  test.each([
    ['no one spoke', undefined],
    ['only noise was heard', '…'],
  ])('records the same history as without a model if %s', async (_what, says) => {
    engine.carrier.script(TO, [{ endReason: 'agent', talkMs: 30_000, ...(says !== undefined && { says }) }]);
    const typesOf = async (callId: string) => (await eventsOf(callId)).map(({ eventType }) => eventType);
    await engine.run(async () => {
      const asked = await typesOf(await called());
      engine.model = null;
      expect(asked).toEqual(await typesOf(await called()));
    });
    expect(standIn.requests(MODEL)).toHaveLength(0);
  });

  test('stores the figures and the callback that the agent reported, without a model', async () => {
    engine.model = null;
    const at = new Date((await engine.now()) + 2 * 24 * 60 * MINUTE_MS);
    at.setUTCHours(6, 0, 0, 0);
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner: await owner() });
      const reportedAt = new Date().toISOString();
      const usage = { models: [], responseMs: [300, 500], interruptions: 4 };
      await recordUsage(engine.db, call.callId, usage, reportedAt);
      await recordCallbackWish(engine.db, call.callId, { at: at.getTime(), reportedAt });
      await call.result();
      expect(await recordOf(call.callId)).toMatchObject({
        quality: { interruptions: 4, avg_response_ms: 400, p95_response_ms: 500 },
        callback: true,
        callbackAt: at,
        outcome: 'callback_requested',
      });
    });
  });

  test('concludes a call by rules if its workflow is terminated during the analysis', async () => {
    standIn.script(MODEL, [{ status: 503 }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner: await owner() });
      while (standIn.requests(MODEL).length === 0) await engine.sleep(1_000);
      await engine.env.client.workflow.getHandle(call.callId).terminate('by an operator');
      await engine
        .db('calls')
        .where({ call_id: call.callId })
        .update({ reported_at: new Date(0) });
      await engine
        .db('call_analyses')
        .where({ call_id: call.callId })
        .update({ check_at: new Date(0) });
      await engine.reconcile();
      expect(await recordOf(call.callId)).toMatchObject({ status: 'completed', method: 'rules' });
    });
  });

  test('gets no signal from reconciliation while the model works', async () => {
    standIn.script(MODEL, [{ status: 503 }]);
    await engine.run(async () => {
      const call = await engine.dispatch(TO, { owner: await owner() });
      while (standIn.requests(MODEL).length === 0) await engine.sleep(1_000);
      await engine
        .db('calls')
        .where({ call_id: call.callId })
        .update({ reported_at: new Date(0) });
      await engine
        .db('call_analyses')
        .where({ call_id: call.callId })
        .update({ check_at: new Date(0) });
      const before = (await eventsOf(call.callId)).filter(isSignal);
      await engine.reconcile();
      const after = (await eventsOf(call.callId)).filter(isSignal);
      expect(after).toHaveLength(before.length);
      await call.result();
    });
  });
});
