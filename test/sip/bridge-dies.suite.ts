/**
 * Kills the bridge while one phone rings and another talks. The bridge can end neither call, so each keeps its line for as long as the
 * phone could stay in the call.
 */
import type { CampaignRun } from '../stack/support/campaign-run';
import { eventually } from '../stack/support/eventually';
import type { SipCall } from './support/sip-log';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage, SOON_MS } from './support/stage';

/** Longer than LiveKit lists phones of a bridge that has stopped responding. */
const RING_TIMEOUT_S = 60;
const LONGEST_TALK_MS = 60_000;
/** Allowed difference between the timestamps of two logs on one machine. */
const CLOCK_MS = 500;

let stage: SipStage;
/** A campaign with one line. The bridge dies during the call to the first number while the second number waits for the line. */
interface Struck {
  numbers: [struck: string, next: string];
  campaign: CampaignRun;
}
let ringing: Struck;
let talking: Struck;

const begin = async (kind: number): Promise<Struck> => {
  const numbers: Struck['numbers'] = [stage.phones.number(kind), stage.phones.number(486)];
  const wish = { numbers, concurrency: 1, maxRetries: 2 };
  return { numbers, campaign: await stage.platform.campaign(wish, stage.organization) };
};

beforeAll(
  async () => {
    stage = await SipStage.open({ environment: { RING_TIMEOUT_S: String(RING_TIMEOUT_S) } });
    const { status } = await stage.organization.patch(`/api/agent/${stage.organization.agentId}/experience`, {
      settings: { call_settings: { max_call_duration: LONGEST_TALK_MS / 60_000 } },
    });
    expect(status).toBe(200);
    talking = await begin(205);
    await stage.untilAnswered(talking.numbers[0]);
    ringing = await begin(180);
    await stage.untilPhone(ringing.numbers[0], 'rings', ({ ladder }) => ladder.endsWith('180'));
    await stage.bridge.kill();
    await stage.bridge.start();
  },
  START_TIMEOUT_MS + 3 * SOON_MS,
);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

/** The campaign's first INVITE after the call that lost its bridge. */
const nextInvite = ({ numbers }: Struck): Promise<SipCall> =>
  eventually(3 * SOON_MS, () => {
    const calls = numbers.flatMap((number) => stage.phones.calls(number));
    calls.sort((one, other) => one.invitedAt.getTime() - other.invitedAt.getTime());
    expect(calls.length).toBeGreaterThan(1);
    return calls[1]!;
  });

test(
  'keeps the line until the ring time-out and does not redial when the bridge of a ringing phone dies',
  async () => {
    const [rang] = stage.phones.calls(ringing.numbers[0]);
    expect(rang?.ladder).toBe('INVITE 100 180');
    const { invitedAt } = await nextInvite(ringing);
    const heldMs = invitedAt.getTime() - rang!.invitedAt.getTime();
    expect(heldMs).toBeGreaterThan(RING_TIMEOUT_S * 1_000 - CLOCK_MS);
  },
  4 * SOON_MS,
);

test(
  'keeps the line until the maximum talk time and does not redial when the bridge of an answered call dies',
  async () => {
    const { to, invitedAt } = await nextInvite(talking);
    const [talked, ...others] = stage.phones.calls(talking.numbers[0]);
    expect(talked?.ladder).toBe('INVITE 100 180 200 ACK');
    expect(talking.numbers[1]).toContain(to);
    expect(invitedAt.getTime() - talked!.answeredAt!.getTime()).toBeGreaterThan(LONGEST_TALK_MS - CLOCK_MS);
    await eventually(2 * SOON_MS, async () =>
      expect((await talking.campaign.detail()).campaign_status).toBe('completed'),
    );
    expect(others).toEqual([]);
    expect(stage.phones.calls(talking.numbers[0])).toHaveLength(1);
  },
  6 * SOON_MS,
);
