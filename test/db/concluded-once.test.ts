import { Registry } from 'prom-client';
import { createActivities } from '../../activities';
import { briefWaits } from '../../activities/brief-waits';
import { activityMetrics } from '../../activities/metrics';
import { MANY_AT_ONCE } from '../servers/at-once';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';

const RECEIVER = 'https://receiver.example/hook';
const log = { info: () => undefined, warn: () => undefined };

describeWith('postgres', 'a call that its workflow and reconciliation conclude at once', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function endedCall(): Promise<string> {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, perCallWebhookUrl: RECEIVER });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(START).toISOString() });
    return callId;
  }

  test('posts a webhook only in the run that wrote the delivery, even while the receiver has not responded', async () => {
    const callId = await endedCall();
    const posted: string[] = [];
    let carrierAnswers = (): void => undefined;
    let receiverAnswers = (): void => undefined;
    const carrier = new Promise<void>((resolve) => (carrierAnswers = resolve));
    const receiver = new Promise<void>((resolve) => (receiverAnswers = resolve));
    const activitiesOver = (find: () => Promise<void>) =>
      createActivities({
        db: engine.db,
        clock: () => engine.now,
        webhooks: {
          post: async (url: string) => {
            posted.push(url);
            await receiver;
            return { statusCode: 204, durationMs: 1, error: null };
          },
        },
        telephony: { find: () => find().then(() => ({ calls: [] })) },
        settings: {
          decryptSecret: (encrypted: Buffer) => encrypted.toString(),
          callbacks: {},
          atOnce: MANY_AT_ONCE,
          analysis: { atOnce: 1 },
        },
        briefWaits: briefWaits({ max: MANY_AT_ONCE.briefWaits, log, limitMs: 60_000 }),
        log,
        metrics: activityMetrics(new Registry()),
      } as never);
    const conclusion = { callId, now: engine.now };

    let slowHasLoaded = (): void => undefined;
    const loaded = new Promise<void>((resolve) => (slowHasLoaded = resolve));
    const slow = activitiesOver(() => {
      slowHasLoaded();
      return carrier;
    }).concludeCall(conclusion);
    await loaded;
    const quick = activitiesOver(() => Promise.resolve()).concludeCall(conclusion);
    while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    carrierAnswers();
    expect(await slow).toMatchObject({ callStatus: 'completed', undelivered: expect.any(String) });
    receiverAnswers();
    expect(await quick).toMatchObject({ callStatus: 'completed', undelivered: null });
    expect(posted).toEqual([RECEIVER]);
  });
});
