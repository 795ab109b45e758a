import type { CampaignStatus } from '../../domain/campaign-status';
import { describeStep, nextStep, type CampaignStep, type CampaignSurvey } from '../../domain/campaign-step';

/** Windows on Tuesday 3 and Wednesday 4 November 2026, 04:00 to 10:30 UTC. */
const survey: CampaignSurvey = {
  status: 'active',
  statusReason: null,
  schedule: {
    fromDate: '2026-11-03',
    toDate: '2026-11-04',
    startMinute: 240,
    endMinute: 630,
    daysOfWeek: ['tuesday', 'wednesday'],
  },
  contactsLeft: true,
  nextDueAt: null,
  waitingCalls: 0,
  liveCalls: 0,
  unconcludedCalls: 0,
  requestedCalls: 0,
  endedContacts: 0,
  total: 10,
};

const at = (text: string): number => Date.parse(text);
const PHASES = {
  ahead: at('2026-11-02T05:00:00Z'),
  open: at('2026-11-03T05:00:00Z'),
  closed: at('2026-11-03T12:00:00Z'),
  over: at('2026-11-04T10:30:00Z'),
};
type Phase = keyof typeof PHASES;

const FEED: CampaignStep = {
  kind: 'feed',
  closesAt: at('2026-11-03T10:30:00Z'),
  wakeAt: at('2026-11-03T10:30:00Z'),
};
const SCHEDULED: CampaignStep = {
  kind: 'rest',
  status: 'scheduled',
  opensAt: at('2026-11-03T04:00:00Z'),
};
const OUT_OF_RANGE: CampaignStep = {
  kind: 'rest',
  status: 'paused_out_of_range',
  opensAt: at('2026-11-04T04:00:00Z'),
};
const PAUSED: CampaignStep = { kind: 'hold', reason: 'paused', why: null };
const LIVE: CampaignStep = { kind: 'hold', reason: 'live calls finish' };
const CANCELLED: CampaignStep = { kind: 'withdraw', why: 'cancelled' };
const EXPIRED: CampaignStep = { kind: 'withdraw', why: 'over' };
const FINISH: CampaignStep = { kind: 'finish' };

const step = (phase: Phase, changes: Partial<CampaignSurvey>) =>
  nextStep({ ...survey, ...changes }, PHASES[phase]);

type OpenStatus = Exclude<CampaignStatus, 'completed'>;

const TABLE: Record<OpenStatus, Record<Phase, CampaignStep>> = {
  scheduled: { ahead: SCHEDULED, open: FEED, closed: OUT_OF_RANGE, over: EXPIRED },
  active: { ahead: SCHEDULED, open: FEED, closed: OUT_OF_RANGE, over: EXPIRED },
  paused_out_of_range: { ahead: SCHEDULED, open: FEED, closed: OUT_OF_RANGE, over: EXPIRED },
  // A campaign that a person paused stays paused even past its last day, because only a person ends it.
  paused: { ahead: PAUSED, open: PAUSED, closed: PAUSED, over: PAUSED },
  cancelled: { ahead: CANCELLED, open: CANCELLED, closed: CANCELLED, over: CANCELLED },
};
const CASES = (Object.keys(TABLE) as OpenStatus[]).flatMap((status) =>
  (Object.keys(PHASES) as Phase[]).map((phase) => [status, phase, TABLE[status][phase]] as const),
);

describe('nextStep() for a campaign with contacts left', () => {
  test.each(CASES)(
    'returns the right step for the status %s and the window phase %s',
    (status, phase, expected) => {
      expect(step(phase, { status })).toEqual(expected);
      expect(step(phase, { status, liveCalls: 2 })).toEqual(expected);
    },
  );

  test.each(CASES)(
    'returns the same step when the last contacts wait for a line: %s, %s',
    (status, phase, expected) => {
      expect(step(phase, { status, contactsLeft: false, waitingCalls: 1 })).toEqual(expected);
    },
  );
});

describe('nextStep() for a campaign with nothing left to dial', () => {
  const done = { contactsLeft: false, waitingCalls: 0 };

  test.each(CASES)('finishes the campaign once no call is live: %s, %s', (status, phase) => {
    expect(step(phase, { ...done, status })).toEqual(FINISH);
  });

  test.each<[CampaignStatus, Phase, CampaignStep]>([
    ['active', 'open', FEED],
    ['active', 'over', LIVE],
    ['active', 'closed', OUT_OF_RANGE],
    ['paused', 'open', PAUSED],
    ['cancelled', 'open', LIVE],
    ['cancelled', 'over', LIVE],
  ])("doesn't finish the campaign while calls are live: %s, %s", (status, phase, expected) => {
    expect(step(phase, { ...done, status, liveCalls: 1 })).toEqual(expected);
  });
});

test.each<CampaignStatus>(['active', 'paused', 'cancelled'])(
  'waits until the last calls are processed when the campaign is %s, and surveys again later',
  (status) => {
    const drain = { kind: 'drain', wakeAt: PHASES.open + 2_000 } as const;
    expect(
      step('open', { contactsLeft: false, waitingCalls: 0, liveCalls: 0, unconcludedCalls: 1, status }),
    ).toEqual(drain);
    expect(describeStep(drain)).toBe('processing the last calls');
  },
);

test.each([
  [2, 2, 60_000],
  [2, 1, 2_000],
])(
  'surveys again with %i calls in processing, %i of them by a language model, after %i ms',
  (all, asked, ms) => {
    const calls = {
      contactsLeft: false,
      waitingCalls: 0,
      liveCalls: 0,
      unconcludedCalls: all,
      requestedCalls: asked,
    };
    expect(step('open', calls)).toEqual({ kind: 'drain', wakeAt: PHASES.open + ms });
  },
);

describe('nextStep() while the campaign dials', () => {
  test('wakes the campaign when the next redial is due', () => {
    const nextDueAt = PHASES.open + 60_000;
    expect(step('open', { nextDueAt })).toEqual({ ...FEED, wakeAt: nextDueAt });
  });

  test('ignores a redial that is due after the window', () => {
    expect(step('open', { nextDueAt: at('2026-11-03T11:00:00Z') })).toEqual(FEED);
  });
});

test('describes every step in words', () => {
  const steps = [FEED, SCHEDULED, PAUSED, LIVE, CANCELLED, EXPIRED, FINISH];
  expect(steps.map(describeStep)).toEqual([
    'dialling; the window closes 2026-11-03 10:30 UTC',
    'the window opens 2026-11-03 04:00 UTC',
    'paused: waiting for resume',
    'live calls finish',
    'cancelled: ending the remaining contacts',
    'the date range is over',
    'finished',
  ]);
});
