/** Tests every way in which a call can end ("How a call ends" in docs/livekit.md), with one campaign over the real SIP bridge. */
import type { CampaignRun } from '../stack/support/campaign-run';
import { eventually } from '../stack/support/eventually';
import { peakOf } from './support/sip-log';
import { STOP_TIMEOUT_MS, START_TIMEOUT_MS, SipStage } from './support/stage';

const CONCURRENCY = 5;
const CAMPAIGN_TIMEOUT_MS = 300_000;

interface Row {
  /** Selects the behaviour of the phone in `phones.xml`. */
  kind: number;
  endReason: string;
  status: string;
  isRedialled: boolean;
  ladder: RegExp;
}

const refused = (endReason: string, status: string, isRedialled: boolean, kinds: readonly number[]): Row[] =>
  kinds.map((kind) => ({
    kind,
    endReason,
    status,
    isRedialled,
    ladder: new RegExp(`^INVITE 100 ${kind} ACK$`),
  }));

const RANG_OUT = { endReason: 'no_answer', status: 'no answer', isRedialled: true };
const UNREACHED = { endReason: 'carrier_failure', status: 'failed', isRedialled: true };
const TALKED = { isRedialled: false, ladder: /^INVITE 100 180 200 ACK BYE 200$/ };

const ROWS: readonly Row[] = [
  // Phones that ring until the timeout come first, because they take longest.
  { kind: 180, ...RANG_OUT, ladder: /^INVITE 100 180 CANCEL 200 487 ACK$/ },
  { kind: 183, ...RANG_OUT, ladder: /^INVITE 100 183 CANCEL 200 487 ACK$/ },
  { kind: 100, ...UNREACHED, ladder: /^INVITE 100 CANCEL 200 487 ACK$/ },
  // The CANCEL is optional, because SIP forbids it before the first response.
  { kind: 101, ...UNREACHED, ladder: /^INVITE( CANCEL)?$/ },
  ...refused('busy', 'busy', true, [486, 600]),
  ...refused('rejected', 'rejected', false, [603, 607, 608]),
  ...refused('invalid_number', 'failed', false, [404, 410, 484, 485, 604]),
  ...refused('no_answer', 'no answer', true, [408, 480, 487]),
  ...refused('carrier_failure', 'failed', true, [403, 500, 503]),
  { kind: 200, endReason: 'agent', status: 'completed', ...TALKED },
  { kind: 201, endReason: 'callee', status: 'User disconnected', ...TALKED },
];

let stage: SipStage;
let campaign: CampaignRun;
let contacts: any[] = [];
const numbers = new Map<number, string>();
beforeAll(async () => {
  stage = await SipStage.open({ environment: { RING_TIMEOUT_S: '8' } });
  for (const { kind } of ROWS) numbers.set(kind, stage.phones.number(kind));
  campaign = await stage.platform.campaign(
    { numbers: [...numbers.values()], concurrency: CONCURRENCY, maxRetries: 2 },
    stage.organization,
  );
}, START_TIMEOUT_MS);
afterAll(() => stage?.close(), STOP_TIMEOUT_MS);

test(
  'completes a campaign that calls a phone of every kind',
  async () => {
    await eventually(CAMPAIGN_TIMEOUT_MS, async () => {
      expect((await campaign.detail()).campaign_status).toBe('completed');
    });
    contacts = await campaign.contacts();
    expect(contacts).toHaveLength(ROWS.length);
  },
  CAMPAIGN_TIMEOUT_MS + 10_000,
);

test.each(ROWS)(
  'ends a call to a phone of kind $kind as $endReason with status "$status" (redialled: $isRedialled)',
  ({ kind, endReason, status, isRedialled, ladder }) => {
    const number = numbers.get(kind)!;
    const dials = isRedialled ? 2 : 1;
    const { attempts } = contacts.find((contact) => contact.phone_number === number);
    expect(attempts.map((attempt: any) => [attempt.end_reason, attempt.call_status])).toEqual(
      Array(dials).fill([endReason, status]),
    );
    expect(stage.phones.calls(number).map((call) => call.ladder)).toEqual(
      Array(dials).fill(expect.stringMatching(ladder)),
    );
  },
);

test('never runs more calls at the same time than the campaign has lines', () => {
  expect(peakOf(stage.phones.calls())).toBeLessThanOrEqual(CONCURRENCY);
});
