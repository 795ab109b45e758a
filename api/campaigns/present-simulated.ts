import { contactsIn } from '../../domain/dry-run/plan';
import type { Period, Tally } from '../../domain/dry-run/tally';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { integer, number, oneOf, text, timestamp } from '../http/schema/kinds';
import { outlookFields, presentOutlook } from './rules-outlook';
import type { SimulatedCampaign } from './simulate';

const period = object(
  {
    from: about(timestamp(), 'Start of the day or hour, in UTC'),
    calls: about(integer(1), 'Attempts that start in this period'),
    answered: integer(0),
  },
  { name: 'SimulatedPeriod' },
);

const LINES = object({
  used_at_most: about(integer(1), "The lower of the campaign's concurrency and the organization's maximum"),
  campaign: integer(1),
  organization: integer(1),
  assumption: about(text(), 'Explains the assumption that all lines are free'),
});

const CONTACTS = object(
  {
    total: integer(0),
    completed: about(integer(0), 'Answered, voicemail included'),
    failed: about(integer(0), 'Not answered by the last attempt'),
    duplicate: integer(0),
    dnd: integer(0),
    expired: integer(0),
    invalid: about(integer(0), 'Never allowed by the rules'),
    pending: about(integer(0), '0 unless a spend limit stops the campaign'),
  },
  { description: 'Number of contacts by final state. They add up to total' },
);

const EXPIRED = object(
  {
    total: integer(0),
    never_dialled: about(
      integer(0),
      'Contacts without any attempt. The others had no time left for a redial',
    ),
    rows: about(list(integer(1)), 'Row numbers of the first hundred'),
  },
  { description: 'Contacts for which there is no time before the last window ends' },
);

const ASSUMPTIONS = object({
  starts_at: timestamp(),
  assumed_answer_rate: number(0, 1),
  assumed_redial_answer_rate: number(0, 1),
  assumed_talk_seconds: number(0),
  assumed_ring_seconds: number(0),
  assumed_dnd_rate: number(0, 1),
  credits_per_minute: number(0),
  calls_per_second: about(nullable(number(0)), "The platform's limit per trunk; null means unlimited"),
  spend_per_day: about(
    nullable(number(0)),
    'Credits per day at which a spend limit stops the campaign; null means unlimited',
  ),
});

export const simulatedCampaign = object(
  {
    status: about(
      oneOf('completed', 'paused'),
      'paused if a daily spend limit would stop it until a person resumes it',
    ),
    finishes_at: nullable(timestamp()),
    paused_at: nullable(timestamp()),
    total_calls: about(integer(0), 'Number of attempts'),
    answered_calls: integer(0),
    peak_lines: about(integer(0), 'Maximum number of live calls'),
    cost: about(number(0), 'Cost in credits'),
    lines: LINES,
    contacts: CONTACTS,
    expired: EXPIRED,
    calls_per_day: about(list(period), 'First 5,000 days with an attempt'),
    calls_per_day_total: about(integer(0), 'Number of days with an attempt'),
    calls_per_hour: about(list(period), 'First 5,000 hours with an attempt'),
    calls_per_hour_total: about(integer(0), 'Number of hours with an attempt'),
    ...outlookFields,
    assumptions: about(ASSUMPTIONS, 'Assumptions of the request, with defaults'),
  },
  { name: 'SimulatedCampaign' },
);
type SimulatedCampaignBody = ValueOf<typeof simulatedCampaign>;

const MAX_ROWS = 100;
const MAX_PERIODS = 5_000;

const LINES_ASSUMPTION = 'Assumes that no other campaign or call of the organization uses its lines.';

const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

export function presentSimulatedCampaign(simulated: SimulatedCampaign): SimulatedCampaignBody {
  const { run, plan, organization, concurrency } = simulated;
  const { tally, finishesAt } = run;
  return {
    status: finishesAt === null ? 'paused' : 'completed',
    finishes_at: isoOrNull(finishesAt),
    paused_at: isoOrNull(run.pausesAt),
    total_calls: tally.dials,
    answered_calls: tally.answered,
    peak_lines: run.peakLines,
    cost: withoutNoise(tally.credits),
    lines: {
      used_at_most: plan.lines,
      campaign: concurrency,
      organization: organization.maxConcurrency,
      assumption: LINES_ASSUMPTION,
    },
    contacts: contactsOf(simulated),
    expired: expiredOf(tally),
    calls_per_day: periodsOf(tally.perDay),
    calls_per_day_total: tally.perDay.length,
    calls_per_hour: periodsOf(tally.perHour),
    calls_per_hour_total: tally.perHour.length,
    ...presentOutlook(simulated.outlook),
    assumptions: assumptionsOf(simulated),
  };
}

/** Adding thousands of fractions leaves rounding errors in the last digits. */
const withoutNoise = (credits: number): number => Math.round(credits * 1e6) / 1e6;

function contactsOf({ run, plan, duplicates }: SimulatedCampaign): SimulatedCampaignBody['contacts'] {
  const { completed, failed, dnd, expired, invalid } = run.tally.states;
  const dialled = contactsIn(plan);
  return {
    total: dialled + duplicates,
    completed,
    failed,
    duplicate: duplicates,
    dnd,
    expired,
    invalid,
    pending: dialled - completed - failed - dnd - expired - invalid,
  };
}

function expiredOf({ expiredRows, neverDialled }: Tally): SimulatedCampaignBody['expired'] {
  return {
    total: expiredRows.length,
    never_dialled: neverDialled,
    rows: [...expiredRows].sort((a, b) => a - b).slice(0, MAX_ROWS),
  };
}

const periodsOf = (periods: readonly Period[]): SimulatedCampaignBody['calls_per_day'] =>
  periods.slice(0, MAX_PERIODS).map(({ from, calls, answered }) => ({ from: isoOf(from), calls, answered }));

function assumptionsOf({ plan }: SimulatedCampaign): SimulatedCampaignBody['assumptions'] {
  const { assumptions, startsAt, creditsPerMinute, callsPerSecond, spendPerDay } = plan;
  return {
    starts_at: isoOf(startsAt),
    assumed_answer_rate: assumptions.answerRate,
    assumed_redial_answer_rate: assumptions.redialAnswerRate,
    assumed_talk_seconds: assumptions.talkMs / 1_000,
    assumed_ring_seconds: assumptions.ringMs / 1_000,
    assumed_dnd_rate: assumptions.dndRate,
    credits_per_minute: creditsPerMinute,
    calls_per_second: callsPerSecond === 0 ? null : callsPerSecond,
    spend_per_day: spendPerDay,
  };
}
