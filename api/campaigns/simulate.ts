/** Simulates a campaign before it is created, and the rest of one that exists. */
import { currentConfig, type Agent } from '../../db/agents/agents';
import { breakersOf, type OwnBreakers } from '../../db/campaigns/breakers';
import type { Campaign, StoredTerms } from '../../db/campaigns/campaigns';
import { callsSoFar, contactsLeft, type CallsSoFar, type ContactLeft } from '../../db/campaigns/contacts';
import type { Organization } from '../../db/organizations/organizations';
import { maxTalkSeconds, resolveConfig } from '../../domain/agent-config';
import { scheduleOf } from '../../domain/calling-window';
import { isFinal } from '../../domain/campaign-status';
import { DryRun } from '../../domain/dry-run/dry-run';
import type { Assumptions, BegunContact, DryRunPlan } from '../../domain/dry-run/plan';
import { redialTermsOf } from '../../domain/redial';
import { ownTurn } from '../../runtime/loop-turn';
import type { ApiDependencies } from '../dependencies';
import { campaignNotEditable, tooManyContactsLeft } from '../http/errors/refusals';
import type { ReadContactFile } from './contact-file/read-contact-file';
import { checkedCampaign } from './create';
import { campaignOf, USUAL, type Simulation } from './schema';
import { storedTerms } from './terms';

/** This many events take a millisecond and 100,000 attempts half a second, so other requests are served between pieces. */
const EVENTS_PER_PIECE = 250;

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

async function played(plan: DryRunPlan): Promise<DryRun> {
  const run = new DryRun(plan);
  while (!run.advance(EVENTS_PER_PIECE)) await ownTurn();
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
function termsOfPlan(
  settings: ApiDependencies['settings'],
  { terms, config, organization, breakers }: Owned,
): Omit<DryRunPlan, 'startsAt' | 'rows' | 'assumptions'> {
  return {
    ...redialTermsOf(terms),
    schedule: scheduleOf(terms),
    lines: Math.min(terms.concurrency, organization.maxConcurrency),
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

/** With fewer calls, the default assumptions are used. */
const ENOUGH_CALLS = 20;

/** A forecast holds all remaining contacts in memory. */
export const MAX_FORECAST = 100_000;

/**
 * Simulates the rest of a campaign from now on, as if it weren't paused.
 * @throws ApiError 404 if the campaign is unknown, 409 if it has ended, 400 if too many contacts remain
 */
export async function forecastCampaign(
  { db, settings, clock }: Pick<ApiDependencies, 'db' | 'settings' | 'clock'>,
  campaignId: string,
  organization: Organization,
): Promise<SimulatedCampaign> {
  const campaign = await campaignOf(db, campaignId, organization.id);
  if (isFinal(campaign.status)) throw campaignNotEditable(campaign.status);
  if (campaign.total - campaign.completed - campaign.failed > MAX_FORECAST) {
    throw tooManyContactsLeft(MAX_FORECAST);
  }
  const now = clock.now();
  const [config, breakers, left, calls] = await Promise.all([
    currentConfig(db, campaign.agentId),
    breakersOf(db, organization.id, now),
    contactsLeft(db, campaignId),
    callsSoFar(db, campaignId),
  ]);
  const plan = {
    ...termsOfPlan(settings, { terms: campaign, config, organization, breakers }),
    startsAt: now,
    rows: left.filter((contact) => !isBegun(contact)).map(({ row }) => row),
    begun: left.filter(isBegun).map((contact) => begunOf(contact, campaign, now)),
    assumptions: assumptionsFrom(calls),
  };
  const run = await played(plan);
  return { plan, run, organization, duplicates: 0, concurrency: campaign.concurrency };
}

const isBegun = ({ attempts, nextAttemptAt }: ContactLeft): boolean => attempts > 0 || nextAttemptAt !== null;

/** Leaves at least one attempt, because a contact with a callback may have used all of them. */
const begunOf = (
  { row, attempts, nextAttemptAt }: ContactLeft,
  { maxAttempts }: Campaign,
  now: number,
): BegunContact => ({
  row,
  attempts: Math.min(attempts, maxAttempts - 1),
  dueAt: Math.max(now, nextAttemptAt?.getTime() ?? now),
});

/** Derives the assumptions from the calls so far. The DND rate is 0, because it isn't known how many remaining contacts are listed. */
function assumptionsFrom({ dialled, answered, talkMs }: CallsSoFar): Assumptions {
  const isKnown = dialled >= ENOUGH_CALLS;
  const answerRate = isKnown ? answered / dialled : USUAL.answerRate;
  return {
    answerRate,
    redialAnswerRate: answerRate,
    dndRate: 0,
    talkMs: Math.round((isKnown ? talkMs : null) ?? USUAL.talkSeconds * 1_000),
    ringMs: USUAL.ringSeconds * 1_000,
  };
}
