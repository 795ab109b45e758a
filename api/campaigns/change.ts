/** Pauses, resumes, cancels and updates a campaign, or pauses and resumes all campaigns of an organization. */
import { currentConfig } from '../../db/agents/agents';
import {
  campaignsPausedWithAll,
  campaignsToPause,
  changeCampaignStatus,
  type CampaignStanding,
  type StatusChangeResult,
} from '../../db/campaigns/status';
import type { Actor, AuditAction } from '../../db/organizations/audit';
import { OPEN_STATUSES, type CampaignStatus } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import { forEachAtOnce } from '../../runtime/shares';
import { assertMayDialFrom } from '../agents/number-to-call-from';
import { dialsDrained } from '../calls/hang-up';
import { orReconciled, type ApiDependencies } from '../dependencies';
import type { CampaignSignal, TemporalPort } from '../dependencies/temporal-client';
import { ApiError } from '../http/errors/api-error';
import { campaignNotEditable, campaignNotFound, campaignNotPaused } from '../http/errors/refusals';
import { refusingUnknownProfile } from '../rules/named-profile';
import { campaignOf } from './schema';
import type { Campaign } from '../../db/campaigns/campaigns';
import { updateCampaign as updateRow } from '../../db/campaigns/changes';
import { confirmRecipients } from './mail-confirmation';
import { assertCampaignRules, editedTerms, storedTerms, type CampaignEdit } from './terms';

/** A change of status that a person can request. */
export interface CampaignSwitch {
  to: CampaignStatus;
  from: readonly CampaignStatus[];
  /** True if repeating the request succeeds; false if it is rejected. */
  idempotent: boolean;
  signal: CampaignSignal;
  /** Recorded in the audit log. */
  action: AuditAction;
  /** True if this is part of a change to all campaigns. */
  withAll?: boolean;
  refusal: (status: string) => ApiError;
  /** `status_reason` of the campaign afterwards. Omitted if the campaign runs or is finished. */
  reason?: string;
  /** Waits until no dial is in flight, so that nothing is dialled after the response. */
  drains: boolean;
}

export const PAUSE: CampaignSwitch = {
  to: 'paused',
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'pause',
  action: 'campaign.pause',
  refusal: campaignNotEditable,
  reason: 'paused on request',
  drains: true,
};

export const RESUME: CampaignSwitch = {
  to: 'active',
  from: ['paused'],
  idempotent: false,
  signal: 'resume',
  action: 'campaign.resume',
  refusal: campaignNotPaused,
  drains: false,
};

export const CANCEL: CampaignSwitch = {
  to: 'cancelled',
  from: OPEN_STATUSES,
  idempotent: true,
  signal: 'cancel',
  action: 'campaign.cancel',
  refusal: campaignNotEditable,
  drains: true,
};

/** Records the change in the audit log, with its actor. */
export async function switchCampaign(
  deps: EffectDependencies,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
  wanted: CampaignSwitch,
  actor: Actor,
): Promise<CampaignStanding> {
  const result = await switchRow(deps, { campaignId, organizationId }, wanted, actor);
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw wanted.refusal(result.campaign.status);
  if (result.kind === 'unchanged' && !wanted.idempotent) throw wanted.refusal(result.campaign.status);
  const deliveryIds = result.kind === 'changed' ? result.deliveryIds : [];
  const { signal, drains } = wanted;
  await takeEffect(deps, { campaignId, signal, deliveryIds, drains });
  return result.campaign;
}

/** Changes the campaign's row and records the change. Run `takeEffect` afterwards. */
function switchRow(
  { db, clock }: Pick<EffectDependencies, 'db' | 'clock'>,
  target: { campaignId: string; organizationId: string },
  wanted: CampaignSwitch,
  actor: Actor,
): Promise<StatusChangeResult> {
  const now = clock.now();
  const { to, from, reason, withAll, action } = wanted;
  return changeCampaignStatus(db, {
    ...target,
    to,
    from,
    now,
    ...(reason !== undefined && { reason }),
    ...(withAll !== undefined && { withAll }),
    events: (before) => statusChangedEvents(before, to, now),
    reported: true,
    by: { actor, action },
  });
}

type EffectDependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'signalCampaign' | 'startDelivery'>;
};

interface CampaignChange {
  campaignId: string;
  signal: CampaignSignal;
  /** Webhook deliveries that report the change. */
  deliveryIds: string[];
  /** Waits until no dial is in flight, so that nothing is dialled after the response. */
  drains: boolean;
}

/** Applies a change that is already written to the campaign's row. */
async function takeEffect(deps: EffectDependencies, change: CampaignChange): Promise<void> {
  const { temporal, log } = deps;
  const { campaignId, signal, deliveryIds, drains } = change;
  const requests = [
    temporal.signalCampaign(campaignId, signal),
    ...deliveryIds.map((deliveryId) => temporal.startDelivery({ deliveryId }, { campaignId })),
  ];
  await Promise.all([
    orReconciled(requests, () =>
      log.warn(
        { campaign_id: campaignId, signal },
        'campaign changed; reconciliation will signal its workflow',
      ),
    ),
    drains ? dialsDrained(deps, { campaignId }) : null,
  ]);
}

/** Wakes the workflow of a campaign whose row says that contacts were appended. */
export const signalAppended = (deps: EffectDependencies, campaignId: string): Promise<void> =>
  takeEffect(deps, { campaignId, signal: 'update', deliveryIds: [], drains: false });

/**
 * Does nothing for a campaign that isn't paused, because resuming it fails with a specific error anyway.
 * @throws ApiError 422 if the agent may no longer call from its number
 */
export async function assertMayResume(
  { db, settings }: Pick<ApiDependencies, 'db' | 'settings'>,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
): Promise<void> {
  const { status, agentId } = await campaignOf(db, campaignId, organizationId);
  if (status !== 'paused') return;
  await assertMayDialFrom({ db, settings }, { organizationId, config: await currentConfig(db, agentId) });
}

const PAUSE_WITH_ALL: CampaignSwitch = {
  ...PAUSE,
  action: 'campaign.pause_all',
  reason: 'paused with all campaigns',
  withAll: true,
};

const RESUME_WITH_ALL: CampaignSwitch = { ...RESUME, action: 'campaign.resume_all', withAll: true };

type ResumeDependencies = EffectDependencies & Pick<ApiDependencies, 'settings'>;

/** Number of campaigns handled concurrently. One by one, each unresponsive carrier would add seconds. */
const MAX_CONCURRENT = 5;

interface OnBehalf {
  organizationId: string;
  actor: Actor;
}

/**
 * Pauses every row before it waits for dials in flight, so that an unresponsive carrier delays only the response. If one campaign fails,
 * the others stay paused, and a repeat pauses the rest.
 */
export async function pauseAll(deps: EffectDependencies, by: OnBehalf): Promise<{ paused: number }> {
  const campaignIds = await campaignsToPause(deps.db, by.organizationId);
  return { paused: await switchEach(deps, campaignIds, PAUSE_WITH_ALL, by) };
}

/** If an agent may no longer call from its number, its campaigns stay paused and are counted. The next resume-all tries them again. */
export async function resumeAll(
  deps: ResumeDependencies,
  by: OnBehalf,
): Promise<{ resumed: number; leftPaused: number }> {
  const campaignIds = await campaignsPausedWithAll(deps.db, by.organizationId);
  const allowed: string[] = [];
  await forEachAtOnce(MAX_CONCURRENT, campaignIds, async (campaignId) => {
    if (await mayResume(deps, { campaignId, organizationId: by.organizationId })) allowed.push(campaignId);
  });
  const resumed = await switchEach(deps, allowed, RESUME_WITH_ALL, by);
  return { resumed, leftPaused: campaignIds.length - allowed.length };
}

async function mayResume(
  deps: ResumeDependencies,
  target: { campaignId: string; organizationId: string },
): Promise<boolean> {
  try {
    await assertMayResume(deps, target);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** Returns the number of changed campaigns. Skips campaigns whose status changed after they were listed. */
async function switchEach(
  deps: EffectDependencies,
  campaignIds: readonly string[],
  wanted: CampaignSwitch,
  { organizationId, actor }: OnBehalf,
): Promise<number> {
  const changed: { campaignId: string; deliveryIds: string[] }[] = [];
  for (const campaignId of campaignIds) {
    const result = await switchRow(deps, { campaignId, organizationId }, wanted, actor);
    if (result.kind === 'changed') changed.push({ campaignId, deliveryIds: result.deliveryIds });
  }
  const { signal, drains } = wanted;
  await forEachAtOnce(MAX_CONCURRENT, changed, (each) => takeEffect(deps, { ...each, signal, drains }));
  return changed.length;
}

type UpdateDependencies = EffectDependencies & {
  temporal: Pick<TemporalPort, 'signalWorkflows'>;
  settings: Pick<ApiDependencies['settings'], 'legalWindow' | 'legalWindowLocal' | 'mailConfirmedDomains'>;
};

/**
 * Pauses the campaign and changes its terms in one transaction. It stays paused until a person resumes it. Live calls continue under the
 * new terms.
 * @throws ApiError 404 if the campaign is unknown, 409 if it has ended, or the error of create if the resulting terms are invalid
 */
export async function updateCampaign(
  deps: UpdateDependencies,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
  edit: CampaignEdit,
  actor: Actor,
): Promise<Campaign> {
  const { db, temporal, clock, log, settings } = deps;
  const now = clock.now();
  const fields = Object.keys(edit);
  const { legalWindow, legalWindowLocal } = settings;
  const result = await refusingUnknownProfile(
    updateRow(db, {
      campaignId,
      organizationId,
      actor,
      now,
      from: OPEN_STATUSES,
      fields,
      edit(current, maxConcurrency) {
        const terms = editedTerms(current, edit);
        assertCampaignRules(terms, { legalWindow, legalWindowLocal, maxConcurrency, now }, fields);
        return storedTerms(terms);
      },
      events: (before) => statusChangedEvents(before, 'paused', now),
    }),
  );
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw campaignNotEditable(result.status);
  const { campaign, deliveryIds, granted, ended } = result;
  if (edit.notification_emails !== undefined) await confirmRecipients(deps, campaign);
  await Promise.all([
    takeEffect(deps, { campaignId, signal: 'update', deliveryIds, drains: true }),
    temporal.signalWorkflows({ granted, refillCampaignId: null }, log),
    ...ended.map((callId) =>
      temporal.signalWorkflows(
        { granted: [], refillCampaignId: null, ended: { callId, callStatus: 'cancelled' } },
        log,
      ),
    ),
  ]);
  return campaign;
}
