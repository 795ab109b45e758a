/** Kills LiveKit while one callee talks and another one answers. After LiveKit is back, both calls end soon and neither is redialled. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignRun } from '../stack/support/campaign-run';
import { eventually } from '../stack/support/eventually';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage, SOON_MS } from './support/stage';

/** Longer than the agent tries to reconnect, and shorter than the bridge does. */
const OUTAGE_MS = 9_000;
/**
 * Covers the bridge's last attempt to rejoin, and the time until the platform notices a phone without an agent or the phone's speech ends.
 */
const ALONE_MS = 45_000;

let stage: SipStage;
let talk: { number: string; callId: string };
let picked: { number: string; campaign: CampaignRun };
let backAt: number;

beforeAll(
  async () => {
    stage = await SipStage.open({ environment: { RING_TIMEOUT_S: '20' } });
    talk = await stage.dispatch(207);
    await stage.untilAnswered(talk.number);
    const number = stage.phones.number(206);
    const wish = { numbers: [number], concurrency: 1, maxRetries: 2 };
    picked = { number, campaign: await stage.platform.campaign(wish, stage.organization) };
    await stage.untilPhone(number, 'rings', ({ ladder }) => ladder.endsWith('180'));
    await stage.media.livekit.kill();
    await Promise.all([sleep(OUTAGE_MS), stage.untilAnswered(number)]);
    await stage.media.livekit.start();
    backAt = Date.now();
  },
  START_TIMEOUT_MS + 3 * SOON_MS,
);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

test(
  'ends an answered call soon after LiveKit is back, and charges at most one credit',
  async () => {
    const { endedAt } = await stage.untilHungUp(talk.number);
    expect(endedAt!.getTime() - backAt).toBeLessThan(ALONE_MS);
    const { call_status: status, call_cost: cost } = await stage.untilOver(talk.callId);
    // `completed` if the agent came back, `error` if it did not.
    expect(['completed', 'error']).toContain(status);
    expect(cost).toBeLessThanOrEqual(1);
  },
  3 * SOON_MS,
);

test(
  'hangs up a call that was answered while LiveKit was unreachable, and does not redial it',
  async () => {
    await eventually(2 * SOON_MS, async () =>
      expect((await picked.campaign.detail()).campaign_status).toBe('completed'),
    );
    const [call, ...others] = stage.phones.calls(picked.number);
    expect(others.map(({ ladder }) => ladder)).toEqual([]);
    expect(call?.ladder).toBe('INVITE 100 180 200 ACK BYE 200');
  },
  3 * SOON_MS,
);
