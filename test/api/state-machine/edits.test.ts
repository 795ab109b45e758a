/**
 * Updates each field of a campaign in each open status. Nothing may be dialled under the old terms, and the next dial must follow the new
 * ones.
 */
import pino from 'pino';
import { campaignEndingActivities, campaignFeedingActivities } from '../../../activities/campaigns/steps';
import type { CampaignEdit } from '../../../api/campaigns/terms';
import { RESUME, switchCampaign, updateCampaign } from '../../../api/campaigns/change';
import { OPEN_STATUSES } from '../../../domain/campaign-status';
import { nextStep } from '../../../domain/campaign-step';
import { EngineDatabase, MINUTE_MS, START, type Owner } from '../../db/support/engine-database';
import { violations } from '../../db/support/invariants';
import { RecordingTemporal } from '../support/recording-temporal';
import { LAST_REPORTED } from './table';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;
const OLD_HOOK = 'https://old.example/hook';
const NEW_HOOK = 'https://new.example/hook';
const at = (text: string): number => Date.parse(`2026-11-${text}Z`);

let engine: EngineDatabase;
let owner: Owner;
beforeAll(async () => {
  engine = await EngineDatabase.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  owner = await engine.owner();
});

const deps = (): any => ({
  db: engine.db,
  temporal: new RecordingTemporal(),
  signals: { getHandle: () => ({ signal: () => Promise.resolve() }) },
  clock: { now: () => engine.now },
  log: pino({ enabled: false }),
  settings: {
    ruleProfile: null,
    legalWindow: { startMinute: 150, endMinute: 869 },
    legalWindowLocal: { startMinute: 480, endMinute: 1260 },
    mails: { confirmedDomains: [], perDay: 0 },
  },
});

/** Makes the decision that the campaign's workflow would make at this time. */
async function look(campaignId: string): Promise<void> {
  const { now } = engine;
  const activityDeps = { ...deps(), clock: () => now, mail: null };
  const feeding = campaignFeedingActivities(activityDeps);
  const survey = await feeding.surveyCampaign({ campaignId, now });
  if (survey === null) throw new Error('the campaign is gone');
  const step = nextStep(survey, now);
  if (step.kind === 'feed') {
    const { claimed } = await feeding.claimPage({ campaignId, now, dialUntil: step.closesAt, limit: 10 });
    const callIds = claimed.map(({ callId }) => callId);
    await feeding.registerWaiting({ organizationId: owner.organizationId, callIds, now });
  } else if (step.kind === 'rest') {
    await feeding.restCampaign({ campaignId, status: step.status, reason: 'later', now });
  } else if (step.kind === 'withdraw') {
    const ending = campaignEndingActivities(activityDeps);
    await ending.withdrawRest({ campaignId, why: step.why, now });
    await ending.finishCampaign({ campaignId, now });
  }
}

interface Running {
  campaignId: string;
  /** Two calls that hold lines, then two that wait. */
  calls: [string, string, string, string];
}

const update = ({ campaignId }: Running, edit: CampaignEdit) =>
  updateCampaign(deps(), { campaignId, organizationId: owner.organizationId }, edit, actor);
const resume = ({ campaignId }: Running) =>
  switchCampaign(deps(), { campaignId, organizationId: owner.organizationId }, RESUME, actor);
const kindOf = async (callId: string) => (await engine.begin(callId)).kind;
const statusOf = async ({ campaignId }: Running) => (await engine.campaignRow(campaignId)).status as string;

/** A campaign on two Mondays, 04:00 to 10:30; it is now Monday, 05:00. */
async function running(status: string): Promise<Running> {
  const campaignId = await engine.campaign(owner, {
    contacts: 4,
    concurrency: 2,
    toDate: '2026-11-13',
    webhookUrl: OLD_HOOK,
  });
  const { claimed } = await engine.feed(owner, campaignId);
  const isResting = status === 'scheduled' || status === 'paused_out_of_range';
  await engine.set(campaignId, {
    status,
    reported_status: LAST_REPORTED[status as keyof typeof LAST_REPORTED],
    ...(isResting && { dialing_until: null }),
  });
  return { campaignId, calls: claimed as Running['calls'] };
}

/** Checks that the campaign can't dial its first call before that instant, and can from then on. */
const opensOnlyAt = (rests: string, instant: number) => async (campaign: Running) => {
  const [first] = campaign.calls;
  expect(await statusOf(campaign)).toBe(rests);
  for (engine.now of [START, instant - 1]) {
    await look(campaign.campaignId);
    expect(await kindOf(first)).toBe('refused');
  }
  engine.now = instant;
  await look(campaign.campaignId);
  expect(await kindOf(first)).toBe('ask');
};

async function busy(callId: string): Promise<void> {
  await engine.dial(callId);
  await engine.end(callId, 'busy');
}

const rowOf = ({ campaignId }: Running) => engine.campaignRow(campaignId);
const contactOf = async ({ campaignId }: Running) => (await engine.contacts(campaignId))[0];

/** The edits. `holds` checks each one after the campaign was resumed and its workflow has run. */
const EDITS: Record<string, { edit: CampaignEdit; holds: (campaign: Running) => Promise<void> }> = {
  'concurrency, lowered': {
    edit: { concurrency: 1 },
    async holds({ calls: [first, second] }) {
      const kinds = [await kindOf(first), await kindOf(second)];
      expect([...kinds].sort()).toEqual(['ask', 'refused']);
      // The call that was dialled first keeps its line.
      const { granted } = await engine.returnLine(kinds[0] === 'refused' ? first : second);
      expect(granted).toEqual([]);
    },
  },
  'concurrency, raised': {
    edit: { concurrency: 4 },
    async holds({ calls }) {
      expect(await Promise.all(calls.map(kindOf))).toEqual(['ask', 'ask', 'ask', 'ask']);
    },
  },
  start_time: { edit: { start_time: 360 }, holds: opensOnlyAt('paused_out_of_range', at('02T06:00:00')) },
  'end_time, to now': {
    edit: { end_time: 300 },
    holds: opensOnlyAt('paused_out_of_range', at('09T04:00:00')),
  },
  'end_time, to the last second of now': {
    edit: { end_time: 301 },
    async holds({ calls: [first, second] }) {
      engine.now = at('02T05:00:59.999');
      expect(await kindOf(first)).toBe('ask');
      engine.now += 1;
      expect(await kindOf(second)).toBe('refused');
    },
  },
  days_of_week: {
    edit: { days_of_week: ['tuesday'] },
    holds: opensOnlyAt('paused_out_of_range', at('03T04:00:00')),
  },
  from_date: { edit: { from_date: '2026-11-03' }, holds: opensOnlyAt('scheduled', at('09T04:00:00')) },
  to_date: {
    edit: { to_date: '2026-11-02' },
    async holds(campaign) {
      const [first] = campaign.calls;
      engine.now = at('02T10:30:00');
      expect(await kindOf(first)).toBe('refused');
      await look(campaign.campaignId);
      expect(await statusOf(campaign)).toBe('completed');
      expect(await contactOf(campaign)).toMatchObject({ state: 'expired' });
    },
  },
  'max_retries, lowered': {
    edit: { max_retries: 1 },
    async holds(campaign) {
      await busy(campaign.calls[0]);
      expect(await contactOf(campaign)).toMatchObject({ state: 'failed', attempts: 1 });
    },
  },
  'retry_delay_mins, to none': {
    edit: { retry_delay_mins: 0 },
    async holds(campaign) {
      await busy(campaign.calls[0]);
      expect(await contactOf(campaign)).toMatchObject({ nextAttemptAt: new Date(START) });
    },
  },
  'retry_delay_mins, to a day': {
    edit: { retry_delay_mins: 1440 },
    async holds(campaign) {
      await busy(campaign.calls[0]);
      expect(await contactOf(campaign)).toMatchObject({ nextAttemptAt: new Date(START + 1440 * MINUTE_MS) });
    },
  },
  campaign_webhook_url: {
    edit: { campaign_webhook_url: NEW_HOOK },
    async holds({ campaignId }) {
      const deliveries = await engine.db('webhook_deliveries').where({ campaign_id: campaignId });
      const ofResume = deliveries.filter(({ body }) => JSON.parse(body).old_status === 'paused');
      expect(ofResume).toEqual([expect.objectContaining({ url: NEW_HOOK })]);
    },
  },
  per_call_webhook_url: {
    edit: { per_call_webhook_url: NEW_HOOK },
    async holds(campaign) {
      expect(await rowOf(campaign)).toMatchObject({ per_call_webhook_url: NEW_HOOK });
    },
  },
  'campaign_name and notification_emails': {
    edit: { campaign_name: 'New name', notification_emails: ['asha@example.com'] },
    async holds(campaign) {
      expect(await rowOf(campaign)).toMatchObject({
        campaign_name: 'New name',
        notification_emails: ['asha@example.com'],
      });
    },
  },
};

const CASES = Object.keys(EDITS).flatMap((name) => OPEN_STATUSES.map((status) => [name, status] as const));

test.each(CASES)(
  'changes %s of a campaign that is %s, effective from the next dial',
  async (name, status) => {
    const { edit, holds } = EDITS[name] as (typeof EDITS)[string];
    const campaign = await running(status);
    const [first] = campaign.calls;
    await update(campaign, edit);
    expect([await statusOf(campaign), await kindOf(first)]).toEqual(['paused', 'refused']);
    await resume(campaign);
    // No call is dialled under the old terms, even before the workflow has run.
    expect([await statusOf(campaign), await kindOf(first)]).toEqual(['active', 'refused']);
    await look(campaign.campaignId);
    await holds(campaign);
    expect(await violations(engine)).toEqual([]);
  },
);

describe('a contact that waits for its redial', () => {
  const resting = async (): Promise<Running> => {
    const campaign = await running('active');
    await busy(campaign.calls[0]);
    return campaign;
  };
  const dueAfter = async (campaign: Running) =>
    ((await contactOf(campaign))?.nextAttemptAt?.getTime() ?? 0) - START;

  test.each([
    [0, 0],
    [5, 5],
    [1440, 1440],
  ])(
    'redials %d minutes after the end of a call when the delay is changed to that value',
    async (delay, mins) => {
      const campaign = await resting();
      expect(await dueAfter(campaign)).toBe(30 * MINUTE_MS);
      engine.now += MINUTE_MS;
      await update(campaign, { retry_delay_mins: delay });
      expect(await dueAfter(campaign)).toBe(mins * MINUTE_MS);
    },
  );

  test('keeps the time of the redial when a different field is changed', async () => {
    const campaign = await resting();
    await update(campaign, { concurrency: 1 });
    expect(await dueAfter(campaign)).toBe(30 * MINUTE_MS);
  });

  test('keeps the time of a callback, because the callee named it', async () => {
    const campaign = await resting();
    await engine
      .db('contacts')
      .where({ campaign_id: campaign.campaignId })
      .update({ callback_of: campaign.calls[0] });
    await update(campaign, { retry_delay_mins: 1440 });
    expect(await dueAfter(campaign)).toBe(30 * MINUTE_MS);
  });
});
