import { describeWith } from '../servers/availability';
import { TimeSkippingEngine } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;

describeWith('time-skipping', 'a campaign in skipped time', () => {
  let engine: TimeSkippingEngine;

  jest.setTimeout(30_000);

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  }, 60_000);

  afterEach(async () => {
    await engine.stop();
  });

  test('dials every contact once and completes', async () => {
    const numbers = ['+919800000001', '+919800000002', '+919800000003', '+919800000004', '+919800000005'];
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers, concurrency: 2 });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(engine.dials.map(({ to }) => to).sort()).toEqual(numbers);
  });

  test('redials an unanswered contact after the delay, and not before', async () => {
    engine.script('+919800000001', [
      { endReason: 'no_answer', talkMs: 30_000 },
      { endReason: 'busy', talkMs: 1_000 },
      { endReason: 'agent', talkMs: 60_000 },
    ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: ['+919800000001'], retryAfterMins: 45 });
      await campaign.finish();
    });
    const [first, second, third] = engine.dials.map(({ at }) => at);
    expect(engine.dials).toHaveLength(3);
    expect(second! - first!).toBeGreaterThanOrEqual(45 * MINUTE_MS);
    expect(second! - first!).toBeLessThan(47 * MINUTE_MS);
    expect(third! - second!).toBeGreaterThanOrEqual(45 * MINUTE_MS);
  });
});
