/** Tests a worker on which receivers hang and agents never become ready, while another organization makes calls. */
import { freePort, releasePort } from '../../dev/stack/ports';
import { silentReceivers, type SilentReceivers } from '../../dev/receiver/silent';
import { FakeLiveKit, KEY } from '../activities/support/fake-livekit';
import { describeWith } from '../servers/availability';
import { valueOf } from '../servers/scrape';
import { eventually } from './support/eventually';
import { talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Fewer than the slow receivers and agents. */
const SLOTS = 40;
const RECEIVERS = 60;
const SESSIONS = 50;
const SETTLES_WITHIN_MS = 120_000;

describeWith('temporal', 'a worker with slow receivers and agents', () => {
  let platform: Platform;
  let livekit: FakeLiveKit;
  let silent: SilentReceivers;
  let metricsPort: number;

  beforeAll(async () => {
    livekit = new FakeLiveKit();
    livekit.hasAgents = false;
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_RUNNING' } }];
    silent = await silentReceivers(RECEIVERS);
    metricsPort = await freePort(0);
    platform = await Platform.open({
      environment: {
        WORKER_METRICS_PORT: String(metricsPort),
        WORKFLOW_TASK_SLOTS: String(SLOTS),
        // Allows receivers on this machine on any port.
        WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        LIVEKIT_URL: await livekit.open(),
        LIVEKIT_API_KEY: KEY.apiKey,
        LIVEKIT_API_SECRET: KEY.apiSecret,
      },
    });
  }, START_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    await silent.close();
    await livekit.close();
    releasePort(metricsPort);
  });

  const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const freeSlots = async (): Promise<number> =>
    valueOf(await scrape(), 'temporal_worker_task_slots_available', { worker_type: 'WorkflowWorker' }) ?? NaN;

  /** Returns the number of regular activities in progress. */
  const waitedFor = async (): Promise<number> =>
    valueOf(await scrape(), 'voice_agent_worker_activities', { kind: 'regular' }) ?? NaN;

  test(
    'keeps slots free and completes the calls of another organization while receivers and agents are slow',
    async () => {
      await eventually(SETTLES_WITHIN_MS, async () => expect(await freeSlots()).toBe(SLOTS));
      const [waiting, reporting, other] = await Promise.all([
        platform.newOrganization(SESSIONS),
        platform.newOrganization(20),
        platform.newOrganization(5),
      ]);
      for (const perCallWebhookUrl of silent.urls) {
        await platform.campaign({ numbers: talkers(3), concurrency: 2, perCallWebhookUrl }, reporting);
      }
      for (let nth = 0; nth < SESSIONS; nth++) {
        const order = { agent_id: waiting.agentId, medium: 'webrtc' };
        expect((await waiting.post('/api/trigger-call/', order)).status).toBe(200);
      }
      await eventually(SETTLES_WITHIN_MS, async () => {
        expect(livekit.rooms.size).toBe(SESSIONS);
        expect(silent.hanging()).toBeGreaterThan(0);
        expect(await waitedFor()).toBeGreaterThan(SLOTS);
      });

      const campaign = await platform.campaign({ numbers: talkers(20), concurrency: 5 }, other);
      const free: number[] = [];
      const over = campaign.untilOver('completed', SETTLES_WITHIN_MS);
      let isOver = false;
      const ending = over.finally(() => (isOver = true));
      while (!isOver) free.push(await freeSlots());
      await ending;

      await campaign.expectNothingLost();
      campaign.expectAllNotified();
      // Tasks that wait for Postgres or the CPU can briefly use all slots, so only most samples must show free ones.
      const withFree = free.filter((slots) => slots > 0);
      expect(withFree.length).toBeGreaterThan(free.length / 2);
      // Confirms that the slow receivers and agents stayed slow.
      const calls = platform.db('calls').where({ medium: 'webrtc', stage: 'placed' });
      expect(await calls).toEqual([]);
      const posted = platform.db('webhook_deliveries').whereIn('url', [...silent.urls]);
      expect(await posted.clone().where({ status: 'delivered' })).toEqual([]);
      expect(await posted).not.toEqual([]);
    },
    3 * SETTLES_WITHIN_MS,
  );
});
