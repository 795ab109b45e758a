import type { Agent } from '../../db/agents/agents';
import type { Organization } from '../../db/organizations/organizations';
import { breakersOf, type OwnBreakers } from '../../db/campaigns/breakers';
import type { StoredTerms } from '../../db/campaigns/campaigns';
import { ownTurn } from '../../runtime/loop-turn';
import { maxTalkSeconds, resolveConfig } from '../../domain/agent-config';
import { scheduleOf } from '../../domain/calling-window';
import { DryRun } from '../../domain/dry-run/dry-run';
import type { Assumptions, DryRunPlan } from '../../domain/dry-run/plan';
import type { ReadContactFile } from './contact-file';
import type { ApiDependencies } from '../dependencies';
import { checkedCampaign } from './checked-campaign';
import type { Simulation } from './simulation-body';
import { storedTerms } from './stored-terms';

/** This many events take a millisecond and 100,000 attempts half a second, so other requests are served in between. */
const EVENTS_IN_ONE_GO = 250;

export interface SimulatedCampaign {
  plan: DryRunPlan;
  run: DryRun;
  organization: Organization;
  /** Rows with a duplicate number. */
  duplicates: number;
  /** The campaign's own concurrency, before the organization's maximum applies. */
  concurrency: number;
}

/** Rejects what create rejects. Stores and starts nothing. */
export async function simulateCampaign(
  deps: Pick<ApiDependencies, 'db' | 'settings' | 'clock'>,
  simulation: Simulation,
  organization: Organization,
): Promise<SimulatedCampaign> {
  const { campaign } = simulation;
  const { agent, file } = await checkedCampaign(deps, campaign, organization);
  const breakers = await breakersOf(deps.db, organization.id, deps.clock.now());
  const plan = planOf(deps, simulation, { agent, file, organization, breakers });
  const run = await played(plan);
  const duplicates = file.contacts.length - plan.rows.length;
  return { plan, run, organization, duplicates, concurrency: campaign.concurrency };
}

export async function played(plan: DryRunPlan): Promise<DryRun> {
  const run = new DryRun(plan);
  while (!run.advance(EVENTS_IN_ONE_GO)) await ownTurn();
  return run;
}

function planOf(
  { settings, clock }: Pick<ApiDependencies, 'settings' | 'clock'>,
  { campaign, assumed }: Simulation,
  {
    agent,
    file,
    organization,
    breakers,
  }: { agent: Agent; file: ReadContactFile; organization: Organization; breakers: OwnBreakers },
): DryRunPlan {
  return {
    ...termsOfPlan(settings, { terms: storedTerms(campaign), config: agent.config, organization, breakers }),
    startsAt: assumed.starts_at === undefined ? clock.now() : Date.parse(assumed.starts_at),
    rows: file.contacts.filter(({ duplicateOf }) => duplicateOf === null).map(({ row }) => row),
    assumptions: assumptionsOf(assumed, campaign.performDndCheck),
  };
}

interface Owned {
  terms: StoredTerms;
  config: Agent['config'];
  organization: Organization;
  breakers: OwnBreakers;
}

/** The parts of the plan that come from the campaign, its agent, its organization and the settings. */
export function termsOfPlan(
  settings: ApiDependencies['settings'],
  { terms, config, organization, breakers }: Owned,
): Omit<DryRunPlan, 'startsAt' | 'rows' | 'assumptions'> {
  return {
    schedule: scheduleOf(terms),
    lines: Math.min(terms.concurrency, organization.maxConcurrency),
    maxAttempts: terms.maxAttempts,
    retryDelayMins: terms.retryDelayMins,
    callsPerSecond: settings.callsPerSecond,
    creditsPerMinute: settings.creditsPerMinute,
    maxTalkMs: maxTalkSeconds(resolveConfig(config)) * 1_000,
    spendPerDay: spendPerDayOf(breakers, settings.spendPerDay),
  };
}

/** The simulation has no other campaigns, so the lower of the two limits applies. */
function spendPerDayOf(
  own: OwnBreakers,
  configured: ApiDependencies['settings']['spendPerDay'],
): number | null {
  const limits = [
    own.campaignSpendPerDay ?? configured.perCampaign,
    own.spendPerDay ?? configured.perOrganization,
  ];
  const set = limits.filter((limit) => limit > 0);
  return set.length === 0 ? null : Math.min(...set);
}

function assumptionsOf(assumed: Simulation['assumed'], performDndCheck: boolean): Assumptions {
  return {
    answerRate: assumed.assumed_answer_rate,
    redialAnswerRate: assumed.assumed_redial_answer_rate ?? assumed.assumed_answer_rate,
    dndRate: performDndCheck ? assumed.assumed_dnd_rate : 0,
    talkMs: Math.round(assumed.assumed_talk_seconds * 1_000),
    ringMs: Math.round(assumed.assumed_ring_seconds * 1_000),
  };
}
