import { openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const decide = (json: unknown): Promise<Answer> => api.ask('/api/rules/decide', { json });

const HOURS = { monday: [['09:00', '20:00']] };
const QUESTION = { to_number: '+919876543210', at: '2026-11-30T10:00:00+05:30' };

describe('POST /api/rules/decide', () => {
  test('answers each question in order, in the shape of the document', async () => {
    const { status, body } = await decide({
      profile: {
        hours: HOURS,
        holiday_dates: [],
        ambiguous_zone: 'skip',
        max_per_day: 2,
        max_per_7_days: null,
        min_gap_minutes: 240,
        consent: 'required',
        disclosure: null,
        caller_id_prefixes: null,
      },
      questions: [
        { ...QUESTION, consent: true },
        { ...QUESTION, timezone: 'Europe/London', attempts: ['2026-11-30T04:00:00Z'] },
        { to_number: '+870773111632', at: '2026-11-30T04:00:00Z' },
      ],
    });
    expect([status, body]).toEqual([
      200,
      {
        answers: [
          {
            allowed: true,
            refused_by: [],
            timezones: ['Asia/Calcutta'],
            zone_source: 'number',
            next_allowed_at: '2026-11-30T04:30:00.000Z',
          },
          {
            allowed: false,
            refused_by: ['hours', 'min_gap', 'consent'],
            timezones: ['Europe/London'],
            zone_source: 'contact',
            next_allowed_at: '2026-11-30T09:00:00.000Z',
          },
          {
            allowed: false,
            refused_by: ['consent', 'zone_unknown'],
            timezones: [],
            zone_source: 'none',
            next_allowed_at: '2026-11-30T04:00:00.000Z',
          },
        ],
      },
    ]);
  });

  test('knows the shipped profiles by name', async () => {
    const at = '2026-07-03T17:00:00Z';
    const questions = [{ to_number: '+14155550132', at, consent: true }];
    const refusedBy = async (profile: string) =>
      (await decide({ profile, questions })).body.answers[0].refused_by;
    expect(await Promise.all(['us-tcpa', 'us-reg-f', 'none'].map(refusedBy))).toEqual([
      ['holiday'],
      ['holiday'],
      [],
    ]);
  });

  test.each([
    [{ profile: 'us-tpca', questions: [] }, 'profile', /one of/],
    [{ profile: { hours: HOURS, max_per_week: 3 }, questions: [] }, 'profile.max_per_week', /not allowed/],
    [
      { profile: { hours: { monday: [['20:00', '09:00']] } }, questions: [] },
      'profile.hours.monday.0',
      /later/,
    ],
    [
      { profile: { hours: { monday: [['09:00', '24:01']] } }, questions: [] },
      'profile.hours.monday.0',
      /24:00/,
    ],
    [
      { profile: { hours: {}, holiday_dates: ['2026-02-30'] }, questions: [] },
      'profile.holiday_dates.0',
      /date/,
    ],
    [{ profile: {}, questions: [] }, 'profile.hours', /required/],
    [{ profile: 'none' }, 'questions', /required/],
    [{ profile: 'none', questions: [{ ...QUESTION, at: '2026-11-30' }] }, 'questions.0.at', /timestamp/],
    [{ profile: 'none', questions: [{ ...QUESTION, at: '1999-12-31T00:00:00Z' }] }, 'questions.0.at', /2000/],
    [{ profile: 'none', questions: [{ ...QUESTION, timezone: '+05:30' }] }, 'questions.0.timezone', /IANA/],
    [{ profile: 'none', questions: [{ ...QUESTION, timezone: 'BST' }] }, 'questions.0.timezone', /IANA/],
    [
      { profile: 'none', questions: [QUESTION, { ...QUESTION, time_zone: 'UTC' }] },
      'questions.1.time_zone',
      /not allowed/,
    ],
    [
      { profile: 'none', questions: [{ ...QUESTION, to_number: '9876543210' }] },
      'questions.0.to_number',
      /E\.164/,
    ],
    [
      { profile: 'none', questions: [{ ...QUESTION, attempts: ['now'] }] },
      'questions.0.attempts.0',
      /timestamp/,
    ],
    [{ profile: 'none', questions: Array.from({ length: 1_001 }, () => QUESTION) }, 'questions', /1000/],
  ])('returns 422 and names the bad field: %#', async (json, field, message) => {
    const { status, body } = await decide(json);
    expect(status).toBe(422);
    const [fault] = body.detail;
    expect([fault.loc.slice(1).join('.'), fault.msg]).toEqual([field, expect.stringMatching(message)]);
  });

  test('serves other requests while it answers hundreds of slow questions', async () => {
    const questions = Array.from({ length: 300 }, (_none, n) => ({
      to_number: '+18002530000',
      at: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 3_600_000).toISOString(),
      attempts: ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    }));
    let isDone = false;
    // No hour of the day is open in all zones of North America.
    const deciding = decide({ profile: { hours: { sunday: [['09:00', '12:00']] } }, questions }).finally(
      () => (isDone = true),
    );
    let served = 0;
    while (!isDone) {
      await api.ask('/api/limits');
      served += 1;
    }
    const { status, body } = await deciding;
    expect([status, body.answers.length, body.answers[0].next_allowed_at]).toEqual([200, 300, null]);
    expect(served).toBeGreaterThan(3);
  });
});
