/** Tests the edges of windows to the millisecond, through the transactions that claim, grant and dial. */
import { campaignEndingActivities, campaignFeedingActivities } from '../../activities/campaigns/steps';
import type { CampaignStep } from '../../domain/campaign-step';
import { nextStep } from '../../domain/campaign-step';
import { describeWith } from '../servers/availability';
import { DIAL_SETTINGS } from '../servers/dial-settings';
import { EngineDatabase, type CampaignOptions, type Owner } from './support/engine-database';

const WORKING_DAYS = 'monday,tuesday,wednesday,thursday,friday';
const EVERY_DAY = `sunday,${WORKING_DAYS},saturday`;
const at = (text: string): number => Date.parse(`${text}Z`);

interface Edges {
  schedule: Pick<CampaignOptions, 'fromDate' | 'toDate' | 'daysOfWeek' | 'startMinute' | 'endMinute'>;
  /** When the window opens. */
  opensAt: number;
  closesAt: number;
  /** The campaign's status a millisecond before it opens (`before`) and when it closes (`after`). */
  before: 'scheduled' | 'paused_out_of_range';
  after: 'paused_out_of_range' | 'completed' | 'active';
}

const edges = (
  [fromDate, toDate, daysOfWeek]: [from: string, to: string, days: string],
  [opens, closes]: [opens: string, closes: string],
  [before, after]: [Edges['before'], Edges['after']],
  [startMinute, endMinute]: [start: number, end: number] = [240, 630],
): Edges => ({
  schedule: { fromDate, toDate, daysOfWeek, startMinute, endMinute },
  opensAt: at(opens),
  closesAt: at(closes),
  before,
  after,
});

const CASES: Record<string, Edges> = {
  'on a day among others': edges(
    ['2026-11-02', '2026-11-06', WORKING_DAYS],
    ['2026-11-03T04:00:00', '2026-11-03T10:30:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
  ),
  'on its first day, which has begun': edges(
    ['2026-11-02', '2026-11-06', WORKING_DAYS],
    ['2026-11-02T04:00:00', '2026-11-02T10:30:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
  ),
  'from midnight of its first day': edges(
    ['2026-11-02', '2026-11-06', WORKING_DAYS],
    ['2026-11-02T00:00:00', '2026-11-02T10:30:00'],
    ['scheduled', 'paused_out_of_range'],
    [0, 630],
  ),
  'on its last day': edges(
    ['2026-11-02', '2026-11-06', WORKING_DAYS],
    ['2026-11-06T04:00:00', '2026-11-06T10:30:00'],
    ['paused_out_of_range', 'completed'],
  ),
  'before a weekend': edges(
    ['2026-11-02', '2026-11-13', WORKING_DAYS],
    ['2026-11-06T04:00:00', '2026-11-06T10:30:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
  ),
  'after a weekend': edges(
    ['2026-11-02', '2026-11-13', WORKING_DAYS],
    ['2026-11-09T04:00:00', '2026-11-09T10:30:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
  ),
  'on the last of its weekdays, with days left in its range': edges(
    ['2026-11-02', '2026-11-06', 'monday'],
    ['2026-11-02T04:00:00', '2026-11-02T10:30:00'],
    ['paused_out_of_range', 'completed'],
  ),
  'on a leap day, which is all it has': edges(
    ['2028-02-29', '2028-02-29', 'tuesday'],
    ['2028-02-29T00:00:00', '2028-02-29T10:30:00'],
    ['scheduled', 'completed'],
    [0, 630],
  ),
  'on the last day of a year': edges(
    ['2026-12-31', '2027-01-01', EVERY_DAY],
    ['2026-12-31T04:00:00', '2026-12-31T10:30:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
  ),
  'on the first day of a year': edges(
    ['2026-12-31', '2027-01-01', EVERY_DAY],
    ['2027-01-01T04:00:00', '2027-01-01T10:30:00'],
    ['paused_out_of_range', 'completed'],
  ),
  'of whole days, which follow one another': edges(
    ['2026-12-31', '2027-01-01', EVERY_DAY],
    ['2026-12-31T00:00:00', '2027-01-01T00:00:00'],
    ['scheduled', 'active'],
    [0, 1440],
  ),
  'of a single minute': edges(
    ['2026-11-02', '2026-11-06', WORKING_DAYS],
    ['2026-11-03T05:00:00', '2026-11-03T05:01:00'],
    ['paused_out_of_range', 'paused_out_of_range'],
    [300, 301],
  ),
};

describeWith('postgres', 'the window of a campaign', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let feeding: ReturnType<typeof campaignFeedingActivities>;
  let ending: ReturnType<typeof campaignEndingActivities>;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    const deps: any = {
      db: engine.db,
      signals: { getHandle: () => ({ signal: () => Promise.resolve() }) },
      log: { warn: () => undefined },
      clock: () => engine.now,
      mail: null,
      settings: DIAL_SETTINGS,
    };
    feeding = campaignFeedingActivities(deps);
    ending = campaignEndingActivities(deps);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });

  const decide = async (campaignId: string): Promise<CampaignStep> => {
    const survey = await feeding.surveyCampaign({ campaignId, now: engine.now });
    if (survey === null) throw new Error('the campaign is gone');
    return nextStep(survey, engine.now);
  };

  /** Runs the current step of the campaign's workflow and returns the claimed calls. */
  async function runStep(campaignId: string): Promise<string[]> {
    const { now } = engine;
    const step = await decide(campaignId);
    if (step.kind === 'feed') return claim(campaignId, step.closesAt);
    if (step.kind === 'rest') {
      await feeding.restCampaign({ campaignId, status: step.status, reason: 'later', now });
    } else if (step.kind === 'withdraw') {
      await ending.withdrawRest({ campaignId, why: step.why, now });
      await engine.conclude(campaignId);
      await ending.finishCampaign({ campaignId, now });
    }
    return [];
  }

  async function claim(campaignId: string, dialUntil: number): Promise<string[]> {
    const { now } = engine;
    const { claimed } = await feeding.claimPage({ campaignId, now, dialUntil, limit: 10 });
    const callIds = claimed.map(({ callId }) => callId);
    await feeding.registerWaiting({ organizationId: owner.organizationId, callIds, now });
    return callIds;
  }

  const statusOf = async (campaignId: string) => (await engine.campaignRow(campaignId)).status as string;

  test.each(Object.entries(CASES))(
    'opens and closes the window exactly on time: %s',
    async (_name, { schedule, opensAt, closesAt, before, after }) => {
      const campaignId = await engine.campaign(owner, { contacts: 6, concurrency: 3, ...schedule });

      engine.now = opensAt - 1;
      expect(await runStep(campaignId)).toEqual([]);
      expect(await statusOf(campaignId)).toBe(before);
      // A claim that was decided by mistake, or by a clock that is ahead, doesn't open the window either.
      expect(await claim(campaignId, closesAt)).toEqual([]);

      engine.now = opensAt;
      const [first = '', second = '', third = '', fourth = ''] = await runStep(campaignId);
      expect(await statusOf(campaignId)).toBe('active');
      expect(await engine.stages([first, second, third])).toEqual(['granted', 'granted', 'granted']);
      expect(await engine.begin(first)).toMatchObject({ kind: 'ask' });

      engine.now = closesAt - 1_000;
      expect(await engine.begin(second)).toMatchObject({ kind: 'ask' });
      await engine.place(second);
      engine.now = closesAt - 1;
      expect((await engine.end(second, 'no_answer'))?.granted).toEqual([fourth]);
      expect(await engine.begin(fourth)).toMatchObject({ kind: 'ask' });

      engine.now = closesAt;
      expect(await engine.begin(third)).toEqual({ kind: 'refused' });
      expect((await engine.returnLine(third)).granted).toEqual([]);
      expect(await engine.stages([third])).toEqual(['waiting']);

      for (const live of [first, fourth]) {
        if (live === first) await engine.place(live);
        await engine.end(live, 'agent');
      }
      await runStep(campaignId);
      expect(await statusOf(campaignId)).toBe(after);
    },
  );

  test('continues to dial across midnight if the window covers whole days', async () => {
    const { schedule, closesAt } = CASES['of whole days, which follow one another'] as Edges;
    const campaignId = await engine.campaign(owner, { contacts: 2, ...schedule });
    engine.now = closesAt - 1;
    const [first = '', second = ''] = await runStep(campaignId);
    expect(await engine.begin(first)).toMatchObject({ kind: 'ask' });
    engine.now = closesAt;
    expect(await engine.begin(second)).toEqual({ kind: 'refused' });
    await runStep(campaignId);
    expect(await engine.begin(second)).toMatchObject({ kind: 'ask' });
  });

  test('stays closed over a weekend at any hour, and shows when the window will open', async () => {
    const { schedule } = CASES['before a weekend'] as Edges;
    const campaignId = await engine.campaign(owner, { contacts: 1, ...schedule });
    const monday = at('2026-11-09T04:00:00');
    for (engine.now = at('2026-11-06T10:30:00'); engine.now < monday; engine.now += 3_600_000 / 2) {
      expect(await decide(campaignId)).toEqual({
        kind: 'rest',
        status: 'paused_out_of_range',
        opensAt: monday,
      });
    }
    expect(engine.now).toBe(monday);
    expect(await decide(campaignId)).toMatchObject({ kind: 'feed' });
  });

  test.each([
    ['0 minutes, which is due immediately', 0],
    ['a day', 1440],
  ])('allows a redial after %s, and not a millisecond earlier', async (_name, retryDelayMins) => {
    const campaignId = await engine.campaign(owner, {
      contacts: 1,
      retryDelayMins,
      fromDate: '2026-11-02',
      toDate: '2026-11-06',
      daysOfWeek: EVERY_DAY,
    });
    const [callId = ''] = await runStep(campaignId);
    await engine.dial(callId);
    engine.now += 30_000;
    await engine.end(callId, 'busy');
    const dueAt = engine.now + retryDelayMins * 60_000;
    expect((await engine.contacts(campaignId))[0]?.nextAttemptAt).toEqual(new Date(dueAt));
    engine.now = dueAt - 1;
    if (retryDelayMins > 0) {
      expect(await runStep(campaignId)).toEqual([]);
      expect(await decide(campaignId)).toMatchObject({ wakeAt: dueAt });
    }
    engine.now = dueAt;
    expect(await runStep(campaignId)).toHaveLength(1);
  });

  test.each([1, 10])(
    'dials a contact max_attempts times (%d), one attempt after the other',
    async (maxAttempts) => {
      const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts, retryDelayMins: 0 });
      let dials = 0;
      for (;;) {
        const [callId] = await runStep(campaignId);
        if (callId === undefined) break;
        await engine.dial(callId);
        await engine.end(callId, 'no_answer');
        dials++;
      }
      expect(dials).toBe(maxAttempts);
      expect((await engine.contacts(campaignId))[0]).toMatchObject({
        state: 'failed',
        reason: 'no_answer',
        attempts: maxAttempts,
      });
    },
  );

  test('expires a redial that would be due after the last window, together with its campaign', async () => {
    const { schedule, closesAt } = CASES['on its last day'] as Edges;
    const campaignId = await engine.campaign(owner, { contacts: 1, retryDelayMins: 1, ...schedule });
    engine.now = closesAt - 60_000;
    const [callId = ''] = await runStep(campaignId);
    await engine.dial(callId);
    await engine.end(callId, 'busy');
    await engine.conclude(campaignId);
    engine.now = closesAt;
    await runStep(campaignId);
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'expired', attempts: 1 });
    expect(await statusOf(campaignId)).toBe('completed');
  });
});
