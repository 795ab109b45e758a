/** Compares a dry run with the real campaign, whose workflow and calls run in skipped time with a real Postgres. */
import { onlyRow, rows } from '../../db/kernel/query';
import { WEEKDAYS, type Weekday } from '../../domain/calling-window';
import { DryRun } from '../../domain/dry-run/dry-run';
import type { Assumptions } from '../../domain/dry-run/plan';
import { describeWith } from '../servers/availability';
import type { PhoneScript } from './support/fake-carrier';
import { TimeSkippingEngine, type StartedCampaign } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

jest.setTimeout(120_000);

interface Scenario {
  contacts: number;
  concurrency: number;
  organizationMaximum?: number;
  maxAttempts: number;
  retryDelayMins: number;
  /** Windows from 10:00 to 11:00 each day, from tomorrow to this day. */
  toDay: number;
  daysOfWeek?: readonly Weekday[];
  /** The behaviour of every number. `assumed` must describe the same behaviour. */
  script: PhoneScript;
  assumed: Pick<Assumptions, 'answerRate' | 'redialAnswerRate' | 'ringMs' | 'talkMs'>;
}

/** Results that a dry run and a campaign have in common. */
interface Course {
  finishesAt: number;
  dialsPerHour: Record<string, number>;
  peakLines: number;
  expiredRows: number[];
  states: Record<string, number>;
  cost: number;
}

const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function forecast(scenario: Scenario, startsAt: number): Course {
  const { contacts, concurrency, organizationMaximum = 10, maxAttempts, retryDelayMins, assumed } = scenario;
  const run = new DryRun({
    startsAt,
    schedule: {
      fromDate: dayOf(startsAt + DAY_MS),
      toDate: dayOf(startsAt + scenario.toDay * DAY_MS),
      startMinute: 600,
      endMinute: 660,
      daysOfWeek: scenario.daysOfWeek ?? WEEKDAYS,
    },
    rows: Array.from({ length: contacts }, (_none, index) => index + 2),
    lines: Math.min(concurrency, organizationMaximum),
    maxAttempts,
    retryDelayMins,
    callsPerSecond: 0,
    maxTalkMs: HOUR_MS,
    creditsPerMinute: 1,
    spendPerDay: null,
    assumptions: { ...assumed, dndRate: 0 },
  });
  while (!run.advance(1_000));
  const states = Object.entries(run.tally.states).filter(([, count]) => count > 0);
  return {
    finishesAt: run.finishesAt ?? NaN,
    dialsPerHour: Object.fromEntries(run.tally.perHour.map(({ from, calls }) => [hourOf(from), calls])),
    peakLines: run.peakLines,
    expiredRows: [...run.tally.expiredRows].sort((a, b) => a - b),
    states: Object.fromEntries(states),
    cost: run.tally.credits,
  };
}

describeWith('time-skipping', 'a dry run', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });
  afterEach(async () => {
    await engine.stop();
  });

  async function happened({ id }: StartedCampaign): Promise<Course> {
    const dialsPerHour: Record<string, number> = {};
    for (const { at } of engine.carrier.dials) dialsPerHour[hourOf(at)] = (dialsPerHour[hourOf(at)] ?? 0) + 1;
    const contacts = await rows<{ row: number; state: string }>(
      engine.db,
      'select row_number as "row", state from contacts where campaign_id = :id order by row_number',
      { id },
    );
    const states: Record<string, number> = {};
    for (const { state } of contacts) states[state] = (states[state] ?? 0) + 1;
    const { endedAt, cost } = await onlyRow<{ endedAt: Date; cost: number }>(
      engine.db,
      `select ended_at as "endedAt", (select coalesce(sum(call_cost), 0)::float from calls where campaign_id = c.id) as cost
       from campaigns c where id = :id`,
      { id },
    );
    return {
      finishesAt: endedAt.getTime(),
      dialsPerHour,
      peakLines: engine.carrier.peakLive,
      expiredRows: contacts.filter(({ state }) => state === 'expired').map(({ row }) => row),
      states,
      cost,
    };
  }

  // The case that no one ever answers is missing, because the time-skipping server then sometimes stalls: its clock runs, but no timer
  // fires. `stack/dry-run` covers that case.
  test.each<[string, Scenario]>([
    [
      'whose calls all answer and do not fit into two windows',
      {
        // Eight rounds start within the hour. The last round starts minutes before its end, because a busy machine delays each round.
        contacts: 50,
        concurrency: 3,
        maxAttempts: 3,
        retryDelayMins: 30,
        toDay: 2,
        script: [{ endReason: 'agent', talkMs: 7.6 * MINUTE_MS }],
        assumed: { answerRate: 1, redialAnswerRate: 1, ringMs: 0, talkMs: 7.6 * MINUTE_MS },
      },
    ],
    [
      'that answers its redials, on two days of the week',
      {
        contacts: 12,
        concurrency: 2,
        maxAttempts: 2,
        retryDelayMins: 22,
        toDay: 30,
        daysOfWeek: ['tuesday', 'friday'],
        script: [
          { endReason: 'no_answer', talkMs: 4 * MINUTE_MS },
          { endReason: 'agent', talkMs: 6.5 * MINUTE_MS },
        ],
        // The fake carrier reports an immediate answer, so all the remaining time is talk time.
        assumed: { answerRate: 0, redialAnswerRate: 1, ringMs: 4 * MINUTE_MS, talkMs: 2.5 * MINUTE_MS },
      },
    ],
  ])('forecasts hours, lines, expiring contacts and the end of a campaign %s', async (_title, scenario) => {
    const numbers = Array.from(
      { length: scenario.contacts },
      (_none, index) => `+9198000000${String(index).padStart(2, '0')}`,
    );
    for (const number of numbers) engine.carrier.script(number, scenario.script);
    const startsAt = await engine.now();
    const real = await engine.run(async () => {
      const { contacts: _contacts, daysOfWeek = WEEKDAYS, ...options } = scenario;
      const campaign = await engine.createCampaign({
        ...options,
        numbers,
        daysOfWeek: daysOfWeek.join(','),
        fromDay: 1,
        startMinute: 600,
        endMinute: 660,
      });
      await campaign.finish();
      return happened(campaign);
    });
    const { finishesAt, cost, ...dry } = forecast(scenario, startsAt);
    const { finishesAt: finishedAt, cost: spent, ...course } = real;
    expect(dry).toEqual(course);
    // The campaign has latencies that the dry run doesn't model.
    expect(Math.abs(finishesAt - finishedAt)).toBeLessThan(MINUTE_MS);
    if (scenario.assumed.ringMs === 0) expect(cost).toBe(spent);
  });
});
