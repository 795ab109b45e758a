import { currentConfig } from '../../db/agents/agents';
import { breakersOf } from '../../db/campaigns/breakers';
import type { Campaign } from '../../db/campaigns/campaigns';
import { callsSoFar, contactsLeft, type CallsSoFar, type ContactLeft } from '../../db/campaigns/contacts';
import type { Organization } from '../../db/organizations/organizations';
import { isFinal } from '../../domain/campaign-status';
import type { Assumptions, BegunContact } from '../../domain/dry-run/plan';
import type { ApiDependencies } from '../dependencies';
import { campaignNotEditable } from '../http/errors/refusals';
import { campaignOf } from './campaign-target';
import { played, termsOfPlan, type SimulatedCampaign } from './simulate-campaign';
import { USUAL } from './simulation-body';

/** Fewer calls say too little about the rest. */
const ENOUGH_CALLS = 20;

/**
 * Simulates the rest of a campaign from now on, as if it weren't paused.
 * @throws ApiError 404 if the campaign is unknown, 409 if it has ended
 */
export async function forecastCampaign(
  { db, settings, clock }: Pick<ApiDependencies, 'db' | 'settings' | 'clock'>,
  campaignId: string,
  organization: Organization,
): Promise<SimulatedCampaign> {
  const campaign = await campaignOf(db, campaignId, organization.id);
  if (isFinal(campaign.status)) throw campaignNotEditable(campaign.status);
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
    assumptions: assumptionsOf(calls),
  };
  const run = await played(plan);
  return { plan, run, organization, duplicates: 0, concurrency: campaign.concurrency };
}

const isBegun = ({ attempts, nextAttemptAt }: ContactLeft): boolean => attempts > 0 || nextAttemptAt !== null;

/** A callback doesn't count as an attempt, so leave one for it. */
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
function assumptionsOf({ dialled, answered, talkMs }: CallsSoFar): Assumptions {
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
