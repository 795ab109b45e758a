import { DryRun } from '../../domain/dry-run/dry-run';
import type { Assumptions, DryRunPlan } from '../../domain/dry-run/plan';
import { WEEKDAYS } from '../../domain/calling-window';
import type { Callee } from '../../domain/rules/dialling';
import { shippedProfile, type RuleProfile } from '../../domain/rules/profile';
import { rulesOf } from '../../domain/rules/stored-rules';

const MINUTE_MS = 60_000;
/** A Monday, at the moment when the window opens. */
const OPENS = Date.parse('2026-11-02T04:00:00.000Z');

type Changes = Partial<Omit<DryRunPlan, 'assumptions' | 'schedule' | 'rows'>> & {
  contacts?: number;
  schedule?: Partial<DryRunPlan['schedule']>;
  assume?: Partial<Assumptions>;
};

/** Default: one hour a day, one line, and one-minute calls that are all answered. */
function plan({ contacts = 10, schedule, assume, ...changes }: Changes = {}): DryRunPlan {
  return {
    startsAt: OPENS,
    schedule: {
      fromDate: '2026-11-02',
      toDate: '2026-11-30',
      startMinute: 240,
      endMinute: 300,
      daysOfWeek: WEEKDAYS,
      ...schedule,
    },
    rows: Array.from({ length: contacts }, (_, index) => index + 2),
    lines: 1,
    maxAttempts: 1,
    retryDelayMins: 30,
    callsPerSecond: 0,
    maxTalkMs: 600_000,
    creditsPerMinute: 1,
    spendPerDay: null,
    assumptions: {
      answerRate: 1,
      redialAnswerRate: 1,
      dndRate: 0,
      talkMs: 45_000,
      ringMs: 15_000,
      ...assume,
    },
    ...changes,
  };
}

function ran(changes?: Changes): DryRun {
  const run = new DryRun(plan(changes));
  while (!run.advance(100));
  return run;
}

const at = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString().slice(5, 19);
const hours = ({ tally }: DryRun) => tally.perHour.map(({ from, calls }) => [at(from)?.slice(0, 8), calls]);

describe('a contact that was dialled before the dry run', () => {
  test('dials a contact when it is due, before undialled contacts, and keeps its number of dials', () => {
    const begun = [{ row: 20, attempts: 1, dueAt: OPENS + 10 * MINUTE_MS }];
    const run = ran({ contacts: 2, begun, maxAttempts: 2, assume: { answerRate: 1, redialAnswerRate: 0 } });
    expect(run.tally.dials).toBe(3);
    expect(run.tally.states).toMatchObject({ completed: 2, failed: 1 });
    // No other call takes place between the two minutes of the other contacts and this contact's due time.
    expect(run.finishesAt).toBe(OPENS + 10 * MINUTE_MS + 15_000);
  });

  test('expires a contact whose due time is never reached', () => {
    const begun = [{ row: 20, attempts: 1, dueAt: Date.parse('2027-01-01T00:00:00Z') }];
    expect(ran({ contacts: 1, begun }).tally.expiredRows).toEqual([20]);
  });
});

describe('the lines of a dry run', () => {
  test.each([
    [1, 10, 10],
    [3, 10, 4],
    [10, 10, 1],
    [20, 10, 1],
  ])('uses %d lines to dial %d contacts in %d rounds', (lines, contacts, rounds) => {
    const run = ran({ lines, contacts });
    expect(run.finishesAt).toBe(OPENS + rounds * MINUTE_MS);
    expect(run.peakLines).toBe(Math.min(lines, contacts));
  });

  test('uses all lines regardless of the number of contacts', () => {
    const run = ran({ lines: 60, contacts: 3_000 });
    expect([run.peakLines, run.finishesAt]).toEqual([60, OPENS + 50 * MINUTE_MS]);
  });

  test("grants lines at the trunk's dial rate, and keeps them while a call waits for its slot", () => {
    const run = ran({ lines: 10, contacts: 10, callsPerSecond: 0.5 });
    expect(run.finishesAt).toBe(OPENS + 9 * 2_000 + MINUTE_MS);
    expect(run.peakLines).toBe(10);
  });

  test('dials calls on the next day if their trunk slot comes after the window has closed', () => {
    // With a call every two minutes, the thirty-first comes after the end of the hour.
    const run = ran({ lines: 2, contacts: 32, callsPerSecond: 1 / 120 });
    expect(hours(run)).toEqual([
      ['11-02T04', 30],
      ['11-03T04', 2],
    ]);
    expect(run.tally.states.completed).toBe(32);
  });
});

describe('the window of a dry run', () => {
  test('delays the start until the window opens, and stops exactly when it closes', () => {
    const run = ran({ contacts: 61, startsAt: OPENS - 1 });
    expect(hours(run)).toEqual([
      ['11-02T04', 60],
      ['11-03T04', 1],
    ]);
    expect(at(run.finishesAt)).toBe('11-03T04:01:00');
  });

  test('opens the window only on its weekdays', () => {
    const run = ran({ contacts: 121, schedule: { daysOfWeek: ['friday', 'monday'] } });
    expect(hours(run)).toEqual([
      ['11-02T04', 60],
      ['11-06T04', 60],
      ['11-09T04', 1],
    ]);
  });

  test("doesn't end live calls when the window closes", () => {
    const run = ran({ contacts: 1, startsAt: OPENS + 60 * MINUTE_MS - 1 });
    expect(run.finishesAt).toBe(OPENS + 61 * MINUTE_MS - 1);
  });

  test("expires the remaining contacts after the campaign's last day", () => {
    const { tally, finishesAt } = ran({ contacts: 123, schedule: { toDate: '2026-11-03' } });
    expect(tally.states).toMatchObject({ completed: 120, expired: 3 });
    expect([...tally.expiredRows].sort((a, b) => a - b)).toEqual([122, 123, 124]);
    expect([tally.neverDialled, at(finishesAt)]).toEqual([3, '11-03T05:00:00']);
  });

  test('expires all contacts at once if the last day is over before the start', () => {
    const run = ran({ contacts: 5, startsAt: Date.parse('2026-12-01T00:00:00Z') });
    expect([run.tally.states.expired, run.finishesAt]).toEqual([5, Date.parse('2026-12-01T00:00:00Z')]);
  });
});

describe('a redial in a dry run', () => {
  test('redials before waiting first dials, after a delay that starts at the end of the dial', () => {
    // Rows 2 and 3 are dialled at 0:00 and 0:15 without an answer. Row 2 is due 30 minutes later.
    const { tally, finishesAt } = ran({
      contacts: 2,
      maxAttempts: 2,
      assume: { answerRate: 0, redialAnswerRate: 1 },
    });
    expect([tally.dials, tally.answered, tally.states.completed]).toEqual([4, 2, 2]);
    // Two dials ring for 15 s each, so the redials are due at 30:15 and 30:30 and take a minute each.
    expect(finishesAt).toBe(OPENS + 30 * MINUTE_MS + 15_000 + 2 * MINUTE_MS);
  });

  test.each([
    [1, 10, 10],
    [3, 10, 30],
    [10, 7, 70],
  ])(
    'allows up to %d dials per contact: %d contacts that never answer are dialled %d times',
    (maxAttempts, contacts, dials) => {
      const { tally } = ran({
        maxAttempts,
        contacts,
        retryDelayMins: 0,
        assume: { answerRate: 0, redialAnswerRate: 0 },
      });
      expect([tally.dials, tally.states.failed]).toEqual([dials, contacts]);
    },
  );

  test('expires a redial that is due after the last window, and counts its contact as dialled', () => {
    const { tally } = ran({
      contacts: 3,
      maxAttempts: 2,
      retryDelayMins: 60,
      schedule: { toDate: '2026-11-02' },
      assume: { answerRate: 0 },
    });
    expect([tally.states.expired, tally.neverDialled, tally.dials]).toEqual([3, 0, 3]);
  });

  test('redials on the following days if the retry delay is a day', () => {
    const run = ran({
      contacts: 1,
      maxAttempts: 4,
      retryDelayMins: 1440,
      assume: { answerRate: 0, redialAnswerRate: 0 },
    });
    expect(hours(run)).toEqual([
      ['11-02T04', 1],
      ['11-03T04', 1],
      ['11-04T04', 1],
      ['11-05T04', 1],
    ]);
  });
});

describe('the assumptions of a dry run', () => {
  test.each([
    [0, 10, 0],
    [0.29, 100, 29],
    [0.6, 10, 6],
    [0.6, 1, 1],
    [0.5, 3, 2],
    [1, 10, 10],
  ])('turns an answer rate of %d over %d first dials into %d answers', (answerRate, contacts, answered) => {
    const { tally } = ran({ contacts, lines: 10, assume: { answerRate } });
    expect([tally.dials, tally.answered]).toEqual([contacts, answered]);
  });

  test('applies the redial rate to redials', () => {
    const { tally } = ran({
      contacts: 100,
      lines: 10,
      maxAttempts: 3,
      retryDelayMins: 0,
      assume: { answerRate: 0.5, redialAnswerRate: 0.2 },
    });
    // 100 dials, then 50 redials, then 40.
    expect([tally.dials, tally.answered]).toEqual([190, 50 + 10 + 8]);
  });

  test('neither dials nor charges contacts on a do-not-disturb list, and frees their lines', () => {
    const run = ran({ contacts: 20, lines: 2, assume: { dndRate: 0.5 } });
    expect(run.tally.states).toMatchObject({ dnd: 10, completed: 10 });
    expect([run.tally.dials, run.tally.credits, run.finishesAt]).toEqual([10, 10, OPENS + 5 * MINUTE_MS]);
  });

  test('dials nothing if every contact is on a do-not-disturb list', () => {
    const run = ran({ contacts: 500, lines: 2, assume: { dndRate: 1 } });
    expect([run.tally.states.dnd, run.tally.dials, run.finishesAt]).toEqual([500, 0, OPENS]);
  });

  test.each([
    [60_000, 1],
    [60_001, 2],
    [0, 0],
    // Ten minutes is the maximum talk time.
    [3_600_000, 10],
  ])('bills %d ms of talk time as %d credits', (talkMs, credits) => {
    expect(ran({ contacts: 1, assume: { talkMs } }).tally.credits).toBe(credits);
  });
});

describe('a daily spend limit in a dry run', () => {
  test('stops the campaign before the next dial and for the rest of the run', () => {
    const run = ran({ contacts: 50, spendPerDay: 10 });
    expect([run.finishesAt, run.pausesAt]).toEqual([null, OPENS + 10 * MINUTE_MS]);
    expect(run.tally.credits).toBe(10);
    expect(run.tally.states.completed).toBe(10);
  });

  test('resets the spent credits each day', () => {
    const run = ran({ contacts: 100, spendPerDay: 61 });
    expect([run.tally.states.completed, run.pausesAt]).toEqual([100, null]);
  });
});

test('gives the same result whether the run is computed at once or in steps', () => {
  const changes: Changes = { contacts: 200, lines: 7, maxAttempts: 3, assume: { answerRate: 0.4 } };
  const whole = new DryRun(plan(changes));
  whole.advance(Infinity);
  const pieces = new DryRun(plan(changes));
  let isOver = false;
  while (!isOver) isOver = pieces.advance(1);
  expect(pieces.tally).toEqual(whole.tally);
  expect(pieces.finishesAt).toBe(whole.finishesAt);
});

/** Plans of every kind. The small generator only distributes their values. */
function anyPlan(n: number): Changes {
  const choose = <T>(choices: readonly T[], salt: number): T =>
    choices[Math.floor(((((n + 1) * 7919 * salt) % 104_729) / 104_729) * choices.length)] as T;
  return {
    contacts: choose([0, 1, 9, 10, 11, 250], 3),
    lines: choose([1, 2, 5, 30, 200], 5),
    maxAttempts: choose([1, 2, 10], 7),
    retryDelayMins: choose([0, 1, 45, 1440], 11),
    callsPerSecond: choose([0, 0, 0.01, 3], 13),
    startsAt: choose([OPENS - 90_000_000, OPENS, OPENS + 3_599_999], 17),
    schedule: {
      toDate: choose(['2026-11-02', '2026-11-05', '2027-11-05'], 19),
      endMinute: choose([241, 300], 23),
    },
    spendPerDay: choose([null, null, 20], 29),
    assume: {
      answerRate: choose([0, 0.37, 1], 31),
      redialAnswerRate: choose([0, 0.5, 1], 37),
      dndRate: choose([0, 0.1, 1], 41),
      talkMs: choose([0, 45_000, 500_000], 43),
      ringMs: choose([0, 15_000], 47),
    },
  };
}

test('ends every contact of any plan in exactly one state, within the limits of lines, dials and window', () => {
  for (let n = 0; n < 400; n++) {
    const changes = anyPlan(n);
    const { contacts = 0, lines = 0, maxAttempts = 0 } = changes;
    const run = ran(changes);
    const ended = Object.values(run.tally.states).reduce((sum, count) => sum + count, 0);
    const facts = { n, left: contacts - ended, isOver: run.finishesAt !== null };
    expect(facts).toEqual({ n, left: run.pausesAt === null ? 0 : facts.left, isOver: run.pausesAt === null });
    expect(run.peakLines).toBeLessThanOrEqual(lines);
    expect(run.tally.dials).toBeLessThanOrEqual(contacts * maxAttempts);
    for (const { from } of run.tally.perHour) expect(new Date(from).getUTCHours()).toBe(4);
    for (const periods of [run.tally.perDay, run.tally.perHour]) {
      expect(periods.reduce((sum, { calls }) => sum + calls, 0)).toBe(run.tally.dials);
      expect(periods.reduce((sum, { answered }) => sum + answered, 0)).toBe(run.tally.answered);
    }
  }
});

describe('a campaign with rules', () => {
  const NEW_YORK = '+12125550100';
  const LOS_ANGELES = '+12135550100';
  const WINDOW = {
    fromDate: '2026-11-02',
    toDate: '2026-11-04',
    startMinute: 9 * 60,
    endMinute: 10 * 60,
    daysOfWeek: 'monday,tuesday,wednesday',
    windowTimezone: 'contact',
  };

  /** Each day from 09:00 to 10:00 in the zone of each contact. The rows are 2, 3 and so on. */
  function ruled(numbers: string[], profile: Partial<RuleProfile> = {}, changes: Changes = {}): DryRun {
    const profiles = [{ ...shippedProfile('none'), ...profile }];
    const callees = numbers.map((toNumber, index): [number, Callee] => [
      index + 2,
      { toNumber, timezone: null, attempts: [], consent: false },
    ]);
    const rules = rulesOf({ window: WINDOW, profiles }, null);
    const local = {
      campaign: { ...WINDOW, profiles },
      ofOperator: null,
      rules,
      callees: new Map(callees),
    };
    return ran({ contacts: numbers.length, local, ...changes });
  }

  test('dials each contact only while its own window is open', () => {
    const run = ruled([LOS_ANGELES, NEW_YORK, LOS_ANGELES]);
    expect(hours(run)).toEqual([
      ['11-02T14', 1],
      ['11-02T17', 2],
    ]);
    expect(at(run.finishesAt)).toBe('11-02T17:02:00');
  });

  test('expires the contacts whose last window has closed', () => {
    const run = ruled([NEW_YORK, LOS_ANGELES], {}, { startsAt: Date.parse('2026-11-04T15:00:00.000Z') });
    expect(run.tally.expiredRows).toEqual([2]);
    expect(run.tally.states).toMatchObject({ expired: 1, completed: 1 });
  });

  test('dials a call that waits for a line only while the window of its contact is open', () => {
    const run = ruled(
      [NEW_YORK, NEW_YORK, NEW_YORK, LOS_ANGELES],
      {},
      { assume: { talkMs: 29 * MINUTE_MS, ringMs: 60_000 }, maxTalkMs: 60 * MINUTE_MS },
    );
    expect(hours(run)).toEqual([
      ['11-02T14', 2],
      ['11-02T17', 1],
      ['11-03T14', 1],
    ]);
  });

  test('ends contacts that the rules never allow as invalid, without a dial', () => {
    const run = ruled([NEW_YORK, NEW_YORK], { consent: 'required' });
    expect(run.tally.states).toMatchObject({ invalid: 2, completed: 0 });
    expect(run.tally.dials).toBe(0);
    expect(at(run.finishesAt)).toBe('11-02T14:00:00');
  });

  test('spreads the attempts to a number over days if a profile allows one each day', () => {
    const run = ruled(
      [NEW_YORK],
      { max_per_day: 1 },
      { maxAttempts: 3, retryDelayMins: 5, assume: { answerRate: 0, redialAnswerRate: 0 } },
    );
    expect(hours(run)).toEqual([
      ['11-02T14', 1],
      ['11-03T14', 1],
      ['11-04T14', 1],
    ]);
    expect(run.tally.states).toMatchObject({ failed: 1 });
  });
});
