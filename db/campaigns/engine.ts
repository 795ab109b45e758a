/** The queries of a campaign's workflow: the survey for its next step, its own status changes, and its end. */
import type { EndReason, FinalCallStatus, FinalContactState } from '../../domain/call-outcome';
import { scheduleOf, type WindowPhase } from '../../domain/calling-window';
import { campaignWindow, dependsOnZones, type CampaignWindow } from '../../domain/rules/campaign-window';
import type { RuleProfile } from '../../domain/rules/profile';
import {
  DIALLING_STATUSES,
  type FinalCampaignStatus,
  type RestingStatus,
} from '../../domain/campaign-status';
import type { CampaignSurvey } from '../../domain/campaign-step';
import type { EventDraft } from '../../domain/webhook-events';
import { insertCampaignEvents, lockCampaign, type CampaignStanding } from './status';
import type { LineDecision } from '../calls/engine';
import {
  hasPendingMails,
  insertCompletionMails,
  NO_MAILS,
  type CompletionMailRules,
} from './completion-mails';
import type { Db } from '../kernel/connection';
import { fillZoneKeys } from './zone-keys';
import { lockSnapshot, SNAPSHOT, type CampaignSnapshot, type StepGuard } from './snapshot';
import { firstRow, onlyRow, prepared, rows, timestamp } from '../kernel/query';

type SurveyedRow = Omit<CampaignSurvey, 'schedule' | 'localWindow' | 'nextDueAt'> &
  CampaignSnapshot & {
    nextDueAt: Date | null;
  };

const SURVEY = prepared(
  'survey_campaign',
  `with acknowledged as (
       update campaigns set refill_requested_at = null, check_at = greatest(check_at, :checkAt)
       where id = :campaignId and (refill_requested_at is not null or check_at < :checkAt::timestamptz - interval '30 seconds')
     )
     select ${SNAPSHOT}, c.status_reason as "statusReason", c.total_contacts as total,
       c.completed_contacts + c.failed_contacts as "endedContacts",
       has_contacts_left(c.id) as "contactsLeft",
       next_due_at(c, :now) as "nextDueAt",
       open.waiting as "waitingCalls", open.live as "liveCalls",
       case when open.live > 0 then 0 else (select count(*) from calls
         where campaign_id = c.id and stage = 'over' and concluded_at is null and requested_at is not null) end as "unconcludedCalls",
       case when open.live > 0 then 0 else (select count(*) from calls k join call_analyses m on m.call_id = k.call_id
         where k.campaign_id = c.id and k.stage = 'over' and k.concluded_at is null) end as "requestedCalls"
     from campaigns c
     cross join lateral (
       select count(*) filter (where stage in ('claimed', 'waiting')) as waiting,
         count(*) filter (where stage in ('granted', 'requested', 'placed')) as live
       from calls where campaign_id = c.id and stage <> 'over'
     ) open
     where c.id = :campaignId`,
);

interface SurveyOptions {
  now: number;
  checkAt: number;
  /** The operator's rule profile. */
  ofOperator?: RuleProfile | null;
}

/**
 * Reads the facts for the campaign's next step, clears `refill_requested_at`, and postpones reconciliation's check to `checkAt` (written at most once
 * in 30 s). Returns undefined for a campaign that was withdrawn.
 */
export async function surveyCampaign(
  db: Db,
  campaignId: string,
  { now, checkAt, ofOperator = null }: SurveyOptions,
): Promise<CampaignSurvey | undefined> {
  const read = () =>
    firstRow<SurveyedRow>(db, SURVEY, { campaignId, now: timestamp(now), checkAt: timestamp(checkAt) });
  let row = await read();
  if (row?.zones.includes('') === true && dependsOnZones(row, ofOperator)) {
    await fillZoneKeys(db, campaignId);
    row = await read();
  }
  return row && surveyOf(row, await localWindow(db, campaignId, campaignWindow(row, ofOperator, now)));
}

function surveyOf(
  {
    fromDate,
    toDate,
    startMinute,
    endMinute,
    daysOfWeek,
    nextDueAt,
    windowTimezone: _windowTimezone,
    profiles: _profiles,
    zones: _zones,
    ...survey
  }: SurveyedRow,
  localWindow: WindowPhase | null,
): CampaignSurvey {
  return {
    ...survey,
    schedule: scheduleOf({ fromDate, toDate, startMinute, endMinute, daysOfWeek }),
    ...(localWindow !== null && { localWindow }),
    nextDueAt: nextDueAt?.getTime() ?? null,
  };
}

/** Counting stops here, because the number is only shown to operators. */
const MAX_COUNTED = 10_000;

/** Adds the number of contacts that wait for the opening. Returns null for a campaign without local rules. */
export async function localWindow(
  db: Db,
  campaignId: string,
  { window, openZones, openingZones }: CampaignWindow,
): Promise<WindowPhase | null> {
  if (openZones === null) return null;
  if (window.phase === 'over' || window.opening === undefined) return window;
  const { contacts } = await onlyRow<{ contacts: number }>(
    db,
    `select count(*) as contacts from (select from contacts
       where campaign_id = :campaignId and zone_key = any(:zones) and state = 'pending' and call_id is null limit ${MAX_COUNTED}) waiting`,
    { campaignId, zones: openingZones },
  );
  return { ...window, opening: { ...window.opening, contacts } };
}

/**
 * Makes the engine's own changes between `active`, `scheduled` and `paused_out_of_range`. Changes nothing if a person has set another
 * status or the change is no longer due.
 */
export function setEngineStatus(
  db: Db,
  campaignId: string,
  status: RestingStatus,
  { reason, now, isStillDue }: { reason: string; now: number; isStillDue: StepGuard },
): Promise<void> {
  return db.transaction(async (trx) => {
    const snapshot = await lockSnapshot(trx, campaignId);
    if (snapshot === undefined || !isStillDue(snapshot)) return;
    await rows(
      trx,
      `update campaigns set status = :status, status_reason = :reason, dialing_until = null, refill_requested_at = null, updated_at = :now
       where id = :campaignId and status = any(:dialling) and status <> :status`,
      { campaignId, status, dialling: [...DIALLING_STATUSES], reason, now: timestamp(now) },
    );
  });
}

interface Withdrawal {
  contactState: Extract<FinalContactState, 'cancelled' | 'expired'>;
  callStatus: FinalCallStatus;
  endReason: EndReason;
}

/**
 * Ends everything that wasn't dialled yet. Returns the calls whose workflows must be signalled. `isStillDue` runs under the campaign's
 * lock, because a person may have changed the campaign since the decision.
 */
export function withdrawRest(
  db: Db,
  campaignId: string,
  withdrawal: Withdrawal,
  now: number,
  isStillDue: StepGuard = () => true,
): Promise<LineDecision & { ended: string[] }> {
  return db.transaction(async (trx) => {
    const snapshot = await lockSnapshot(trx, campaignId);
    if (snapshot === undefined || !isStillDue(snapshot)) {
      return { ended: [], granted: [], refillCampaignId: null };
    }
    const { decision } = await onlyRow<{ decision: { ended: string[]; granted: string[] } }>(
      trx,
      'select withdraw_rest(:campaignId, :contactState, :callStatus, :endReason, :now) as decision',
      { campaignId, ...withdrawal, now: timestamp(now) },
    );
    return { ...decision, refillCampaignId: null };
  });
}

export type FinishResult =
  | { kind: 'unfinished' }
  | {
      kind: 'finished';
      status: FinalCampaignStatus;
      deliveryIds: string[];
      /** The completion e-mails still have to be sent. */
      mails: boolean;
    };

/**
 * Ends a campaign without open work as completed, or as cancelled if it was cancelled. A retry returns the deliveries that are still
 * pending, so that a crash before their start loses none.
 */
export function finishCampaign(
  db: Db,
  campaignId: string,
  now: number,
  events: (before: CampaignStanding, status: FinalCampaignStatus) => EventDraft[],
  mails: CompletionMailRules = NO_MAILS,
): Promise<FinishResult> {
  return db.transaction(async (trx) => {
    const campaign = await lockCampaign(trx, campaignId);
    if (campaign === undefined) return { kind: 'unfinished' };
    const status = campaign.status === 'cancelled' ? 'cancelled' : 'completed';
    if (campaign.endedAt === null) {
      if (campaign.completed + campaign.failed !== campaign.total) return { kind: 'unfinished' };
      if (await hasUnconcludedCalls(trx, campaignId)) return { kind: 'unfinished' };
      await rows(
        trx,
        `update campaigns set status = :status, reported_status = :status, ended_at = :now, updated_at = :now,
           dialing_until = null, status_reason = case when status = :status then status_reason end
         where id = :campaignId`,
        { campaignId, status, now: timestamp(now) },
      );
      await insertCampaignEvents(trx, campaign, events(campaign, status), now);
      await insertCompletionMails(
        trx,
        { campaignId, organizationId: campaign.organizationId },
        { ...mails, now },
      );
    }
    const pending = await rows<{ id: string }>(
      trx,
      `select id from webhook_deliveries where campaign_id = :campaignId and call_id is null and status = 'pending' order by created_at, id`,
      { campaignId },
    );
    return {
      kind: 'finished',
      status,
      deliveryIds: pending.map(({ id }) => id),
      mails: await hasPendingMails(trx, campaignId),
    };
  });
}

/** The transaction must hold the campaign's lock, which scheduling a callback takes too. */
async function hasUnconcludedCalls(trx: Db, campaignId: string): Promise<boolean> {
  const call = await firstRow(
    trx,
    `select 1 from calls where campaign_id = :campaignId and stage = 'over' and concluded_at is null and requested_at is not null limit 1`,
    { campaignId },
  );
  return call !== undefined;
}
