/** Sends each request about a campaign over HTTP in every status, and compares the results with `table.ts`. */
import { startDial, claimPage, registerWaiting } from '../../../db/calls/engine';
import type { CampaignStatus } from '../../../domain/campaign-status';
import { NO_GUARDS } from '../../servers/no-guards';
import { newCampaign } from '../support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from '../support/test-api';
import { LAST_REPORTED, ANSWERS, REQUESTS, STATUSES, type Request, type RequestName } from './table';

const MINUTE_MS = 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.clock.time = MONDAY;
});

/** Creates a campaign within its window. One of its calls holds a line. */
async function inStatus(
  status: CampaignStatus,
): Promise<{ as: TestOrganization; id: string; granted: string }> {
  const as = await api.newOrganization();
  const id = await newCampaign(api, { as, campaign_webhook_url: 'https://example.com/hook' });
  const page = await claimPage(api.db, id, {
    now: MONDAY,
    dialUntil: MONDAY + 60 * MINUTE_MS,
    limit: 1,
  });
  const callIds = page.claimed.map(({ callId }) => callId);
  const { granted } = await registerWaiting(api.db, as.id, callIds, MONDAY);
  const isResting = status === 'scheduled' || status === 'paused_out_of_range';
  const isOver = status === 'completed' || status === 'cancelled';
  await api
    .db('campaigns')
    .where({ id })
    .update({
      status,
      reported_status: LAST_REPORTED[status],
      ...(isResting && { dialing_until: null }),
      ...(isOver && { ended_at: new Date(MONDAY) }),
    });
  return { as, id, granted: granted[0] ?? '' };
}

const mayDial = async (callId: string): Promise<boolean> => {
  const times = { now: MONDAY + 1_000, notAfter: MONDAY + 4_000 };
  return (await startDial(api.db, callId, { ...times, guards: NO_GUARDS })).kind === 'ask';
};

async function webhooksOf(id: string): Promise<string[]> {
  const written = await api.db('webhook_deliveries').where({ campaign_id: id });
  return written.map(({ event, body }) => {
    const { old_status, new_status } = JSON.parse(body as string);
    return event === 'campaign.status_changed' ? `${old_status} → ${new_status}` : event;
  });
}

const CASES = (Object.keys(REQUESTS) as RequestName[]).flatMap((name) =>
  STATUSES.map((status) => [name, status, ANSWERS[name][status]] as const),
);

test.each(CASES)(
  'responds to %s of a campaign that is %s as the table states',
  async (name, status, expected) => {
    const { as, id, granted } = await inStatus(status);
    const { method, path, json }: Request = REQUESTS[name];
    api.clock.time = MONDAY + 1_000;
    const answer = await api.ask(`/api/campaigns/${id}${path}`, {
      as,
      method,
      ...(json !== undefined && { json }),
    });
    const { status: stored } = await api.db('campaigns').where({ id }).first('status');
    expect({
      answer: [answer.status, answer.body.detail?.code].filter(Boolean).join(' '),
      says: answer.status === 200 ? answer.body.campaign_status : expected.next,
      next: stored,
      webhooks: await webhooksOf(id),
      dials: await mayDial(granted),
    }).toEqual({
      answer: expected.answer,
      says: expected.next,
      next: expected.next,
      webhooks: expected.webhooks,
      dials: expected.dials,
    });
  },
);

test('creates an active campaign that sends no webhook and dials nothing before its workflow runs', async () => {
  const id = await newCampaign(api, { campaign_webhook_url: 'https://example.com/hook' });
  expect(await api.db('campaigns').where({ id }).first('status', 'dialing_until')).toEqual({
    status: 'active',
    dialing_until: null,
  });
  expect(await webhooksOf(id)).toEqual([]);
});
