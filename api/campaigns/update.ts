import type { Campaign } from '../../db/campaigns/campaigns';
import { updateCampaign as updateRow } from '../../db/campaigns/changes';
import type { Actor } from '../../db/organizations/audit';
import { OPEN_STATUSES } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import type { ApiDependencies } from '../dependencies';
import type { TemporalPort } from '../dependencies/temporal-client';
import { campaignNotEditable, campaignNotFound } from '../http/errors/refusals';
import { confirmRecipients } from './mail-confirmation';
import { takeEffect, type EffectDependencies } from './switch';
import { assertCampaignRules, editedTerms, storedTerms, type CampaignEdit } from './terms';

type Dependencies = EffectDependencies & {
  temporal: Pick<TemporalPort, 'signalWorkflows'>;
  settings: Pick<ApiDependencies['settings'], 'legalWindow' | 'mailConfirmedDomains'>;
};

/**
 * Pauses the campaign and changes its terms in one transaction. It stays paused until a person resumes it. Live calls continue under the
 * new terms.
 * @throws ApiError 404 if the campaign is unknown, 409 if it has ended, or the error of create if the resulting terms are invalid
 */
export async function updateCampaign(
  deps: Dependencies,
  { campaignId, organizationId }: { campaignId: string; organizationId: string },
  edit: CampaignEdit,
  actor: Actor,
): Promise<Campaign> {
  const { db, temporal, clock, log, settings } = deps;
  const now = clock.now();
  const fields = Object.keys(edit);
  const result = await updateRow(db, {
    campaignId,
    organizationId,
    actor,
    now,
    from: OPEN_STATUSES,
    fields,
    edit(current, maxConcurrency) {
      const terms = editedTerms(current, edit);
      assertCampaignRules(terms, { legalWindow: settings.legalWindow, maxConcurrency, now }, fields);
      return storedTerms(terms);
    },
    events: (before) => statusChangedEvents(before, 'paused', now),
  });
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
