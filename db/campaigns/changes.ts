/** Changes of a campaign's terms while it may be dialling. */
import type { CampaignStatus } from '../../domain/campaign-status';
import type { EventDraft } from '../../domain/webhook-events';
import { recordAudit, type Actor } from '../clients/audit';
import { changeCampaignStatus, type CampaignStanding } from './status';
import { columnsOf, findCampaign, type Campaign, type StoredTerms } from './campaigns';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

export interface CampaignUpdate {
  campaignId: string;
  clientId: string;
  actor: Actor;
  now: number;
  /** The statuses that it may be changed in. */
  from: readonly CampaignStatus[];
  /** Names of the fields that are changed, for the audit. */
  fields: string[];
  /**
   * The terms as they are to be. Called under the campaign's lock, so that what it judges by stays true; what it throws undoes the
   * pause, too. `maxConcurrency` is the organisation's.
   */
  edit: (current: Campaign, maxConcurrency: number) => StoredTerms;
  /** What announces the pause, under the name and to the address from before the change. */
  events: (before: CampaignStanding) => EventDraft[];
}

export type CampaignUpdateResult =
  | { kind: 'unknown' }
  | { kind: 'refused'; status: CampaignStatus }
  | {
      kind: 'updated';
      campaign: Campaign;
      deliveryIds: string[];
      /** Calls made ready for redials that are not allowed any more, and calls that got a line of theirs: both are to be signalled. */
      ended: string[];
      granted: string[];
    };

/**
 * One transaction: the campaign is paused, then its terms change, or nothing happens. It may not dial by its old window from here on:
 * after a resume its workflow sets a new one. Contacts that have had as many dials as are allowed now get no other; a higher number
 * brings none back that has failed.
 */
export function updateCampaign(db: Db, update: CampaignUpdate): Promise<CampaignUpdateResult> {
  const { campaignId, clientId, actor, now } = update;
  return db.transaction(async (trx) => {
    // Before the campaign's lock, as everywhere: ending calls hands their lines to other campaigns of the client.
    const client = await firstRow<{ maxConcurrency: number }>(
      trx,
      'select max_concurrency as "maxConcurrency" from clients where id = :clientId for no key update',
      { clientId },
    );
    const pause = await changeCampaignStatus(trx, {
      campaignId,
      clientId,
      to: 'paused',
      from: update.from,
      now,
      reason: 'paused by an update',
      announced: true,
      events: update.events,
    });
    if (pause.kind === 'unknown' || client === undefined) return { kind: 'unknown' };
    if (pause.kind === 'refused') return { kind: 'refused', status: pause.campaign.status };
    const current = await findCampaign(trx, clientId, campaignId);
    if (current === undefined) return { kind: 'unknown' };
    const terms = update.edit(current, client.maxConcurrency);
    await writeTerms(trx, campaignId, terms, now);
    await moveRedials(trx, campaignId, terms.retryDelayMins - current.retryDelayMins);
    const { ended, granted } = await giveUpRedials(trx, campaignId, now);
    await recordAudit(trx, {
      clientId,
      actor,
      action: 'campaign.update',
      subjectId: campaignId,
      fields: update.fields,
      now,
    });
    const campaign = (await findCampaign(trx, clientId, campaignId)) ?? current;
    const deliveryIds = pause.kind === 'changed' ? pause.deliveryIds : [];
    return { kind: 'updated', campaign, deliveryIds, ended, granted };
  });
}

async function writeTerms(trx: Db, campaignId: string, terms: StoredTerms, now: number): Promise<void> {
  const instant = timestamp(now);
  await trx('campaigns')
    .where({ id: campaignId })
    .update({ ...columnsOf(terms), dialing_until: null, refill_asked_at: instant, updated_at: instant });
}

/** Contacts that rest before a redial rest as long as is meant now; a call that was made ready for one is due already. */
async function moveRedials(trx: Db, campaignId: string, byMins: number): Promise<void> {
  if (byMins === 0) return;
  await rows(
    trx,
    `update contacts set next_attempt_at = next_attempt_at + make_interval(mins => :byMins)
     where campaign_id = :campaignId and state = 'pending' and call_id is null and callback_of is null and next_attempt_at is not null`,
    { campaignId, byMins },
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
