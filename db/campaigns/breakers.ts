import type { Db } from '../kernel/connection';
import type { AgentConfig } from '../../domain/agent-config';
import { firstRow, onlyRow, rows } from '../kernel/query';

/** Returns the campaigns that dial now. Other campaigns check their limits when they start to dial. */
export async function dialingCampaigns(db: Db, organizationId: string): Promise<string[]> {
  const open = await rows<{ id: string }>(
    db,
    `select id from campaigns where organization_id = :organizationId and ended_at is null and status = 'active' order by id`,
    { organizationId },
  );
  return open.map(({ id }) => id);
}

/** The campaign and the current configuration of its agent. The call itself uses the configuration from when it was claimed. */
export interface CampaignOfCall {
  campaignId: string;
  organizationId: string;
  agentConfig: AgentConfig;
}

export function campaignOfCall(db: Db, callId: string): Promise<CampaignOfCall | undefined> {
  return firstRow<CampaignOfCall>(
    db,
    `select k.campaign_id as "campaignId", k.organization_id as "organizationId", f.config as "agentConfig" from calls k join agents a on a.id = k.agent_id
     join agent_versions v on v.agent_id = a.id and v.version = a.version join agent_configs f on f.id = v.config_id
     where k.call_id = :callId and k.campaign_id is not null`,
    { callId },
  );
}

/** Returns whether the carrier failed all of the campaign's latest `count` dials. */
export async function haveFailed(db: Db, campaignId: string, count: number): Promise<boolean> {
  const { failed } = await onlyRow<{ failed: boolean }>(
    db,
    `select right(recent_dials, :count) = repeat('1', :count) as failed from campaigns where id = :campaignId`,
    { campaignId, count },
  );
  return failed;
}

/** Clears the failures that the organization's circuit breaker has counted. */
export async function forgetDials(db: Db, organizationId: string): Promise<void> {
  await rows(db, `update organizations set recent_dials = '' where id = :organizationId`, { organizationId });
}

/** Kinds of calls that can continue past the organization's daily spend limit. */
export const SPEND_EXEMPTIONS = ['callers', 'dispatches'] as const;
export type SpendExemption = (typeof SPEND_EXEMPTIONS)[number];

/** An organization's own spend limits and circuit breaker. Null uses the configured value. 0 means no limit. */
export interface OwnBreakers {
  /** Credits per UTC day for each campaign. `spendPerDay` is for the whole organization. */
  campaignSpendPerDay: number | null;
  spendPerDay: number | null;
  /** Campaigns are paused when this share of the latest dials failed. */
  failureRate: number | null;
  spendExempt: SpendExemption[];
}

const COLUMNS: readonly (readonly [keyof OwnBreakers, string])[] = [
  ['campaignSpendPerDay', 'campaign_spend_per_day'],
  ['spendPerDay', 'spend_per_day'],
  ['failureRate', 'breaker_failure_rate'],
  ['spendExempt', 'spend_exempt'],
];

const given = (breakers: Partial<OwnBreakers>) => COLUMNS.filter(([field]) => breakers[field] !== undefined);

export const breakerColumns = (breakers: Partial<OwnBreakers>): string[] =>
  given(breakers).map(([, column]) => column);

/** `spentToday` is for the UTC day of `now`. */
export function breakersOf(
  db: Db,
  organizationId: string,
  now: number,
): Promise<OwnBreakers & { spentToday: number }> {
  return onlyRow(
    db,
    `select campaign_spend_per_day as "campaignSpendPerDay", spend_per_day as "spendPerDay", breaker_failure_rate as "failureRate",
       spend_exempt as "spendExempt",
       coalesce((select credits from spend where owner_id = :organizationId and day = :day), 0) as "spentToday"
     from organizations where id = :organizationId`,
    { organizationId, day: new Date(now).toISOString().slice(0, 10) },
  );
}

/** Sets the passed fields, of which there must be at least one. Takes effect with the next dial. */
export async function setBreakers(
  trx: Db,
  organizationId: string,
  breakers: Partial<OwnBreakers>,
): Promise<void> {
  const values = Object.fromEntries(given(breakers).map(([field, column]) => [column, breakers[field]]));
  await trx('organizations').where({ id: organizationId }).update(values);
}
