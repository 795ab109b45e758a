import {
  allowedAround,
  decide,
  factsOf,
  ruleSetOf,
  type Decision,
  type Question,
} from '../../../domain/rules/decide';
import { shippedProfile, type RuleProfile } from '../../../domain/rules/profile';

const MINUTE = 60_000;
const DAILY: RuleProfile['hours'] = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
    day,
    [['09:00', '20:00']],
  ]),
);
const ALWAYS = shippedProfile('none').hours;

const profileWith = (changes: Partial<RuleProfile>): RuleProfile => ({
  ...shippedProfile('none'),
  ...changes,
});

const MUMBAI = '+912228985000';
/** Its prefix is that of all of North America. */
const TOLL_FREE = '+18002530000';
const SATELLITE = '+870773111632';

type Asked = Omit<Partial<Question>, 'at' | 'attempts'> & { at: string; attempts?: string[] };

const questionOf = ({ at, attempts = [], ...question }: Asked): Question => ({
  toNumber: MUMBAI,
  ...question,
  at: Date.parse(at),
  attempts: attempts.map((attempt) => Date.parse(attempt)),
});

const ask = (changes: Partial<RuleProfile>, asked: Asked): Decision =>
  decide(ruleSetOf(profileWith(changes)), questionOf(asked));

const allowedWithin = (changes: Partial<RuleProfile>, asked: Asked) =>
  allowedAround(factsOf(ruleSetOf(profileWith(changes)), questionOf(asked)));

const refusedBy = (changes: Partial<RuleProfile>, asked: Asked): string[] => ask(changes, asked).refusedBy;

function nextAllowed(changes: Partial<RuleProfile>, asked: Asked): string | null {
  const { nextAllowedAt } = ask(changes, asked);
  return nextAllowedAt === null ? null : new Date(nextAllowedAt).toISOString();
}

describe('hours', () => {
  test.each([
    ['2026-11-30T08:59:59.999+05:30', ['hours']],
    ['2026-11-30T09:00:00+05:30', []],
    ['2026-11-30T19:59:59.999+05:30', []],
    ['2026-11-30T20:00:00+05:30', ['hours']],
  ])('include their start and exclude their end: %s', (at, expected) => {
    expect(refusedBy({ hours: DAILY }, { at })).toEqual(expected);
  });

  test('last until midnight with an end of 24:00, and close absent weekdays', () => {
    const hours: RuleProfile['hours'] = { monday: [['22:00', '24:00']] };
    expect(refusedBy({ hours }, { at: '2026-11-30T23:59:59.999+05:30' })).toEqual([]);
    expect(refusedBy({ hours }, { at: '2026-12-01T00:00:00+05:30' })).toEqual(['hours']);
    expect(nextAllowed({ hours }, { at: '2026-12-01T00:00:00+05:30' })).toBe('2026-12-07T16:30:00.000Z');
  });

  test('are local to the zone of the contact, which replaces those of the number', () => {
    const asked = { at: '2026-11-30T14:00:00Z', timezone: 'America/New_York' };
    expect(ask({ hours: DAILY }, asked)).toMatchObject({
      refusedBy: [],
      timezones: ['America/New_York'],
      zoneSource: 'contact',
    });
    expect(ask({ hours: DAILY }, { ...asked, timezone: undefined })).toMatchObject({
      timezones: ['Asia/Calcutta'],
      zoneSource: 'number',
    });
  });

  test('apply twice to an hour that the clock repeats', () => {
    const hours: RuleProfile['hours'] = { sunday: [['01:00', '01:30']] };
    const timezone = 'America/New_York';
    for (const at of ['2026-11-01T05:10:00Z', '2026-11-01T06:10:00Z'])
      expect(refusedBy({ hours }, { at, timezone })).toEqual([]);
    expect(nextAllowed({ hours }, { at: '2026-11-01T05:30:00Z', timezone })).toBe('2026-11-01T06:00:00.000Z');
  });

  test('begin at the clock change if it skips their start', () => {
    const hours: RuleProfile['hours'] = { sunday: [['02:30', '04:00']] };
    const timezone = 'America/New_York';
    expect(nextAllowed({ hours }, { at: '2026-03-08T05:00:00Z', timezone })).toBe('2026-03-08T07:00:00.000Z');
  });
});

describe('holiday', () => {
  test('refuses the whole local day', () => {
    const rules = { holiday_dates: ['2026-12-25'] };
    expect(refusedBy(rules, { at: '2026-12-24T18:30:00Z' })).toEqual(['holiday']);
    expect(refusedBy(rules, { at: '2026-12-24T18:29:00Z' })).toEqual([]);
    expect(nextAllowed(rules, { at: '2026-12-25T00:00:00Z' })).toBe('2026-12-25T18:30:00.000Z');
  });

  test('refuses if it is a holiday in one of the possible zones', () => {
    const rules = { holiday_dates: ['2026-12-25'] };
    expect(refusedBy(rules, { toNumber: TOLL_FREE, at: '2026-12-24T15:00:00Z' })).toEqual(['holiday']);
  });
});

describe('max_per_day', () => {
  const attempts = ['2026-11-30T04:00:00+05:30', '2026-11-30T05:00:00+05:30'];

  test('counts the attempts of the local calendar day', () => {
    expect(refusedBy({ max_per_day: 2 }, { at: '2026-11-30T23:59:00+05:30', attempts })).toEqual([
      'max_per_day',
    ]);
    expect(refusedBy({ max_per_day: 2 }, { at: '2026-12-01T00:00:00+05:30', attempts })).toEqual([]);
    expect(refusedBy({ max_per_day: 3 }, { at: '2026-11-30T23:59:00+05:30', attempts })).toEqual([]);
    expect(nextAllowed({ max_per_day: 2 }, { at: '2026-11-30T06:00:00+05:30', attempts })).toBe(
      '2026-11-30T18:30:00.000Z',
    );
  });

  test('never allows a call if it is 0', () => {
    expect(ask({ max_per_day: 0 }, { at: '2026-11-30T06:00:00Z' })).toMatchObject({
      refusedBy: ['max_per_day'],
      nextAllowedAt: null,
    });
  });
});

describe('max_per_7_days', () => {
  test('counts attempts after the instant 168 hours ago, up to now', () => {
    const asked = { at: '2026-11-30T06:00:00Z' };
    const rules = { max_per_7_days: 1 };
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-23T06:00:00Z'] })).toEqual([]);
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-23T06:00:00.001Z'] })).toEqual([
      'max_per_7_days',
    ]);
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-30T06:00:00Z'] })).toEqual(['max_per_7_days']);
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-30T06:00:01Z'] })).toEqual([]);
  });

  test('allows the next call when enough attempts are seven days old', () => {
    const attempts = ['2026-11-26T00:00:00Z', '2026-11-28T10:00:30Z', '2026-11-29T00:00:00Z'];
    expect(nextAllowed({ max_per_7_days: 2 }, { at: '2026-11-30T06:00:00Z', attempts })).toBe(
      '2026-12-05T10:01:00.000Z',
    );
    expect(nextAllowed({ max_per_7_days: 0 }, { at: '2026-11-30T06:00:00Z' })).toBeNull();
  });
});

describe('min_gap', () => {
  test('counts from the last attempt at or before the instant and ignores later ones', () => {
    const rules = { min_gap_minutes: 60 };
    const asked = { at: '2026-11-30T06:00:00Z' };
    const ignored = '2026-11-30T06:00:01Z';
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-30T05:00:01Z', ignored] })).toEqual(['min_gap']);
    expect(refusedBy(rules, { ...asked, attempts: ['2026-11-30T05:00:00Z', ignored] })).toEqual([]);
    expect(nextAllowed(rules, { ...asked, attempts: ['2026-11-30T06:00:00Z', ignored] })).toBe(
      '2026-11-30T07:00:00.000Z',
    );
  });
});

describe('consent and zone_unknown', () => {
  test('refuse without delaying the next allowed minute', () => {
    expect(ask({ consent: 'required' }, { at: '2026-11-30T06:00:30Z' })).toMatchObject({
      refusedBy: ['consent'],
      nextAllowedAt: Date.parse('2026-11-30T06:01:00Z'),
    });
    expect(refusedBy({ consent: 'required' }, { at: '2026-11-30T06:00:00Z', consent: true })).toEqual([]);
  });

  test('refuse a number without a zone, whose hours, holidays and days are not checked', () => {
    const rules = { hours: {}, holiday_dates: ['2026-11-30'], max_per_day: 0, max_per_7_days: 0 };
    expect(ask(rules, { toNumber: SATELLITE, at: '2026-11-30T06:00:00Z' })).toMatchObject({
      refusedBy: ['max_per_7_days', 'zone_unknown'],
      timezones: [],
      zoneSource: 'none',
    });
  });

  test('obey all possible zones under strictest, and refuse an ambiguous number under skip', () => {
    const asked = { toNumber: TOLL_FREE, at: '2026-11-30T12:00:00Z' };
    expect(refusedBy({ hours: DAILY }, asked)).toEqual(['hours']);
    expect(refusedBy({ hours: DAILY, ambiguous_zone: 'skip' }, asked)).toEqual(['hours', 'zone_unknown']);
    expect(refusedBy({ hours: ALWAYS, ambiguous_zone: 'skip' }, asked)).toEqual(['zone_unknown']);
  });

  test('treat a number as ambiguous only while the clocks of its zones differ', () => {
    // Arizona has no summer time, so it shows the time of Denver in winter only.
    const asked = { toNumber: '+19282831234', at: '2026-01-15T12:00:00Z' };
    const skipping = { ambiguous_zone: 'skip' } as const;
    expect(ask(skipping, asked)).toMatchObject({
      refusedBy: [],
      timezones: ['America/Denver', 'America/Phoenix'],
    });
    expect(refusedBy(skipping, { ...asked, at: '2026-07-15T12:00:00Z' })).toEqual(['zone_unknown']);
    const change = Date.parse('2026-03-08T09:00:00Z');
    expect(allowedWithin(skipping, { ...asked, at: '2026-03-08T08:00:00Z' })?.until).toBe(change);
  });
});

test('names every rule that refuses, in a fixed order', () => {
  const rules: Partial<RuleProfile> = {
    hours: {},
    holiday_dates: ['2026-11-30'],
    ambiguous_zone: 'skip',
    max_per_day: 1,
    max_per_7_days: 1,
    min_gap_minutes: 1,
    consent: 'required',
  };
  const at = '2026-11-30T18:00:00Z';
  expect(refusedBy(rules, { toNumber: TOLL_FREE, at, attempts: [at] })).toEqual([
    'hours',
    'holiday',
    'max_per_day',
    'max_per_7_days',
    'min_gap',
    'consent',
    'zone_unknown',
  ]);
});

test('looks 400 days ahead', () => {
  const at = '2026-01-01T00:00:00Z';
  const attempts = [at];
  const gap = 400 * 24 * 60;
  expect(nextAllowed({ min_gap_minutes: gap }, { at, attempts })).toBe('2027-02-05T00:00:00.000Z');
  expect(nextAllowed({ min_gap_minutes: gap + 1 }, { at, attempts })).toBeNull();
});

describe('the interval in which a call is allowed', () => {
  test('ends when the hours end and begins when the last cap ended', () => {
    const attempts = ['2026-11-30T04:00:00Z'];
    const rules = { hours: DAILY, min_gap_minutes: 60 };
    expect(allowedWithin(rules, { at: '2026-11-30T06:00:00Z', attempts })).toEqual({
      from: Date.parse('2026-11-30T05:00:00Z'),
      until: Date.parse('2026-11-30T14:30:00Z'),
    });
  });

  test('continues over midnight if both days are open', () => {
    const hours: RuleProfile['hours'] = { monday: [['20:00', '24:00']], tuesday: [['00:00', '02:00']] };
    expect(allowedWithin({ hours }, { at: '2026-11-30T23:00:00+05:30' })).toEqual({
      from: Date.parse('2026-11-30T20:00:00+05:30'),
      until: Date.parse('2026-12-01T02:00:00+05:30'),
    });
  });

  test('is null outside the hours', () => {
    expect(allowedWithin({ hours: {} }, { at: '2026-11-30T06:00:00Z' })).toBeNull();
  });

  test('contains only allowed instants, also at clock changes', () => {
    const rules: Partial<RuleProfile> = {
      hours: { ...DAILY, sunday: [['00:30', '02:15']] },
      ambiguous_zone: 'skip',
    };
    const timezone = 'America/New_York';
    for (
      let at = Date.parse('2026-10-31T00:00:00Z');
      at < Date.parse('2026-11-03T00:00:00Z');
      at += 17 * MINUTE
    ) {
      const within = allowedWithin(rules, { at: new Date(at).toISOString(), timezone });
      if (within === null) continue;
      expect(within.from <= at && at < within.until).toBe(true);
      const refused = (instant: number) =>
        refusedBy(rules, { at: new Date(instant).toISOString(), timezone });
      expect([refused(within.from), refused(within.until - 1), refused(within.until)]).toEqual([
        [],
        [],
        ['hours'],
      ]);
    }
  });
});
