import { contactsIn } from '../../domain/dry-run/plan';
import type { Period, Tally } from '../../domain/dry-run/tally';
import type { SimulatedCampaign } from './simulate-campaign';
import type { SimulatedCampaignBody } from './resource-simulated';

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
    assumptions: assumptionsOf(simulated),
  };
}

/** Adding thousands of fractions leaves rounding errors in the last digits. */
const withoutNoise = (credits: number): number => Math.round(credits * 1e6) / 1e6;

function contactsOf({ run, plan, duplicates }: SimulatedCampaign): SimulatedCampaignBody['contacts'] {
  const { completed, failed, dnd, expired } = run.tally.states;
  const dialled = contactsIn(plan);
  return {
    total: dialled + duplicates,
    completed,
    failed,
    duplicate: duplicates,
    dnd,
    expired,
    pending: dialled - completed - failed - dnd - expired,
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
