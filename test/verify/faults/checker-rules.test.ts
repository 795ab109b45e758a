/** Tests the checks of local windows, rule profiles and shared numbers. */
import type { CampaignRecord, Contact, ProfileRecord } from '../../../verify/faults/checker/evidence';
import { localText } from '../../../verify/faults/checker/local-time';
import { CAMPAIGN, numberOf, RunStory } from './run-story';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const everyDay = (start: string, end: string) =>
  Object.fromEntries(DAYS.map((day) => [day, [[start, end]] as [[string, string]]]));
const NO_RULES: ProfileRecord = {
  hours: everyDay('00:00', '24:00'),
  ambiguous_zone: 'strictest',
  max_per_day: null,
  max_per_7_days: null,
  min_gap_minutes: 0,
  consent: 'none',
};

interface Terms {
  profile?: Partial<ProfileRecord>;
  campaign?: Partial<CampaignRecord>;
  contact?: Partial<Contact>;
}

/** A campaign with one contact in India. The run starts at 05:00 UTC, which is 10:30 there. */
function campaignWith({ profile = {}, campaign = {}, contact = {} }: Terms): RunStory {
  const listed = { row: 2, name: 'Contact', phone_number: numberOf(2), zones: ['Asia/Kolkata'], ...contact };
  return new RunStory().campaign([2], {
    max_retries: 9,
    retry_delay_mins: 0,
    contacts: [listed],
    profiles: [{ ...NO_RULES, ...profile }],
    window_timezone: 'contact',
    start_time: '00:00',
    end_time: '24:00',
    ...campaign,
  });
}

/** Dials the contact at these seconds after the start of the run. */
function dialled(terms: Terms, ...secondsAfterStart: number[]): string[] {
  const story = campaignWith(terms);
  secondsAfterStart.forEach((fromS, index) =>
    story.call(2, { fromS, toS: fromS + 5, answered: false, attempt: index + 1 }),
  );
  return story.violations()[3] ?? [];
}

test.each([
  ['America/New_York', '2026-11-01T05:59:59.000Z', '2026-11-01T01:59:59.000Z'],
  ['America/New_York', '2026-11-01T06:00:00.000Z', '2026-11-01T01:00:00.000Z'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00.000Z'],
  ['Asia/Calcutta', '2026-11-02T18:30:00.000Z', '2026-11-03T00:00:00.000Z'],
])('reads the wall clock of %s at %s', (zone, at, local) => {
  expect(localText(zone, Date.parse(at))).toBe(local);
});

test.each<[string, Terms, string | null]>([
  ['in the local window', { campaign: { start_time: '10:30', end_time: '10:40' } }, null],
  ['before the local window', { campaign: { start_time: '10:36', end_time: '24:00' } }, 'Asia/Kolkata'],
  [
    'in the window of one of two possible zones',
    {
      campaign: { start_time: '10:30', end_time: '10:40' },
      contact: { zones: ['Asia/Kolkata', 'Asia/Kathmandu'] },
    },
    'Asia/Kathmandu',
  ],
  [
    "outside the campaign's zone",
    { campaign: { window_timezone: 'Asia/Tokyo', end_time: '14:00' } },
    'Asia/Tokyo',
  ],
  ['outside the hours of a profile', { profile: { hours: everyDay('08:00', '10:35') } }, 'it was'],
  ['without consent', { profile: { consent: 'required' } }, 'consented'],
  ['with consent', { profile: { consent: 'required' }, contact: { consent: true } }, null],
  [
    'to an ambiguous number',
    { profile: { ambiguous_zone: 'skip' }, contact: { zones: ['Asia/Kolkata', 'Asia/Kathmandu'] } },
    'ambiguous',
  ],
])('judges a dial %s', (_what, terms, reason) => {
  expect(dialled(terms, 300)).toEqual(reason === null ? [] : [expect.stringContaining(reason)]);
});

test('reports a dial above a cap or before the gap ended, and counts only attempts that are recent enough', () => {
  expect(dialled({ profile: { max_per_day: 2 } }, 300, 400, 500)).toEqual([
    expect.stringContaining('it already had 2 attempts on that day'),
  ]);
  // Midnight in India is 48,600 s after the start.
  expect(dialled({ profile: { max_per_day: 1 } }, 48_500, 48_700)).toEqual([]);
  expect(dialled({ profile: { max_per_7_days: 1 } }, 300, 90_000)).toHaveLength(1);
  expect(dialled({ profile: { min_gap_minutes: 2 } }, 300, 415)).toHaveLength(1);
  expect(dialled({ profile: { min_gap_minutes: 2 } }, 300, 420)).toEqual([]);
});

test('counts the attempts of dispatched calls to the number', () => {
  const terms = { profile: { max_per_day: 1 }, contact: { phone_number: '+919812345678' } };
  const story = campaignWith(terms).dispatch('dispatched', 100);
  story.call(2, { fromS: 300, number: '+919812345678' });
  expect(story.violations()[3]).toHaveLength(1);
});

test('reports a second live call of an organization to a number', () => {
  const story = campaignWith({ contact: { phone_number: '+919812345678' } }).dispatch('dispatched', 100);
  story.call(2, { fromS: 102, number: '+919812345678' });
  expect(story.violations()[2]).toEqual([
    expect.stringContaining('while call dispatched of the same organization'),
  ]);
});

test.each<[string, string, Terms, boolean]>([
  ['expired', 'campaign_over', { campaign: { to_date: '2026-11-03' } }, true],
  ['expired', 'campaign_over', { campaign: { end_time: '10:45', to_date: '2026-11-02' } }, false],
  ['invalid', 'consent', { profile: { consent: 'required' } }, false],
  ['invalid', 'consent', { profile: { consent: 'required' }, contact: { consent: true } }, true],
])(
  'judges whether a contact that ended as %s (%s) could still be dialled',
  (state, reason, terms, isEarly) => {
    const story = campaignWith(terms);
    Object.assign(story.rows.contacts[0]!, { state, reason });
    const early = (story.violations()[5] ?? []).filter((each) => each.includes('could still be dialled'));
    expect(early).toHaveLength(isEarly ? 1 : 0);
    if (isEarly) expect(early[0]).toContain(`row 2 of campaign ${CAMPAIGN} ended as ${state}`);
  },
);
