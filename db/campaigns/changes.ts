/** Changes the settings of a campaign that may be dialling. */
import type { CampaignStatus } from '../../domain/campaign-status';
import { redialShiftsMs } from '../../domain/redial';
import type { EventDraft } from '../../domain/webhook-events';
import { recordAudit, type Actor } from '../organizations/audit';
import { holdRuleProfile } from '../organizations/rule-profiles';
import { changeCampaignStatus, type CampaignStanding } from './status';
import { columnsOf, findCampaign, type Campaign, type StoredTerms } from './campaigns';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

export interface CampaignUpdate {
  campaignId: string;
  organizationId: string;
  actor: Actor;
  now: number;
  /** Statuses that allow a change. */
  from: readonly CampaignStatus[];
  /** Names of the changed fields, for the audit log. */
  fields: string[];
  /**
   * Returns the new settings; an error also undoes the pause. Called while the campaign is locked, with the organization's
   * `maxConcurrency`.
   */
  edit: (current: Campaign, maxConcurrency: number) => StoredTerms;
  /** Returns the webhook events of the pause, with the campaign's name and webhook from before the change. */
  events: (before: CampaignStanding) => EventDraft[];
}

type CampaignUpdateResult =
  | { kind: 'unknown' }
  | { kind: 'refused'; status: CampaignStatus }
  | {
      kind: 'updated';
      campaign: Campaign;
      deliveryIds: string[];
      /**
       * `ended` are calls for redials that are no longer allowed, and `granted` are calls that got their lines. The workflows of both must
       * be signalled.
       */
      ended: string[];
      granted: string[];
    };

/**
 * Pauses the campaign and changes its settings in one transaction; the workflow sets a new window after a resume. Contacts that have used up a
 * lowered `max_attempts` fail, and a higher one doesn't bring failed contacts back.
 * @throws UnknownRuleProfile
 */
export function updateCampaign(db: Db, update: CampaignUpdate): Promise<CampaignUpdateResult> {
  const { campaignId, organizationId, actor, now } = update;
  return db.transaction(async (trx) => {
    // Lock order: organization, then campaign. Ending calls grants their lines to other campaigns of the organization.
    const organization = await firstRow<{ maxConcurrency: number }>(
      trx,
      'select max_concurrency as "maxConcurrency" from organizations where id = :organizationId for no key update',
      { organizationId },
    );
    const pause = await changeCampaignStatus(trx, {
      campaignId,
      organizationId,
      to: 'paused',
      from: update.from,
      now,
      reason: 'paused by an update',
      reported: true,
      events: update.events,
    });
    if (pause.kind === 'unknown' || organization === undefined) return { kind: 'unknown' };
    if (pause.kind === 'refused') return { kind: 'refused', status: pause.campaign.status };
    const current = await findCampaign(trx, organizationId, campaignId);
    if (current === undefined) return { kind: 'unknown' };
    const terms = update.edit(current, organization.maxConcurrency);
    if (terms.ruleProfile !== current.ruleProfile)
      await holdRuleProfile(trx, organizationId, terms.ruleProfile);
    await writeTerms(trx, campaignId, terms, now);
    await moveRedials(trx, campaignId, redialShiftsMs(current, terms));
    const { ended, granted } = await giveUpRedials(trx, campaignId, now);
    await recordAudit(trx, {
      organizationId,
      actor,
      action: 'campaign.update',
      subjectId: campaignId,
      fields: update.fields,
      now,
    });
    const campaign = (await findCampaign(trx, organizationId, campaignId)) ?? current;
    const deliveryIds = pause.kind === 'changed' ? pause.deliveryIds : [];
    return { kind: 'updated', campaign, deliveryIds, ended, granted };
  });
}

async function writeTerms(trx: Db, campaignId: string, terms: StoredTerms, now: number): Promise<void> {
  const instant = timestamp(now);
  await trx('campaigns')
    .where({ id: campaignId })
    .update({ ...columnsOf(terms), dialing_until: null, refill_requested_at: instant, updated_at: instant });
}

/** Applies changed terms to contacts that wait for a redial. Skips contacts that already have a call. */
async function moveRedials(trx: Db, campaignId: string, shiftsMs: number[]): Promise<void> {
  if (shiftsMs.every((shiftMs) => shiftMs === 0)) return;
  await rows(
    trx,
    `update contacts set next_attempt_at = next_attempt_at + make_interval(secs => coalesce((:shiftsMs::float8[])[attempts], 0) / 1000)
     where campaign_id = :campaignId and state = 'pending' and call_id is null and callback_of is null and next_attempt_at is not null`,
    { campaignId, shiftsMs },
  );
}

async function giveUpRedials(
  trx: Db,
  campaignId: string,
  now: number,
): Promise<{ ended: string[]; granted: string[] }> {
  const { decision } = await onlyRow<{ decision: { ended: string[]; granted: string[] } }>(
    trx,
    'select give_up_redials(:campaignId, :now) as decision',
    { campaignId, now: timestamp(now) },
  );
  return decision;
}
