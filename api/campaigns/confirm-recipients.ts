import type { Campaign } from '../../db/campaigns/campaigns';
import { requestConfirmations } from '../../db/campaigns/mail-addresses';
import type { ApiDependencies } from '../dependencies';

/** Requests confirmation from the campaign's unconfirmed addresses. Failure is logged only; an address that wasn't asked gets no report. */
export async function confirmRecipients(
  {
    db,
    clock,
    settings,
    log,
  }: Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
    settings: Pick<ApiDependencies['settings'], 'mailConfirmedDomains'>;
  },
  { id: campaignId, organizationId, notificationEmails: addresses }: Campaign,
): Promise<void> {
  const { mailConfirmedDomains: confirmedDomains } = settings;
  await requestConfirmations(db, {
    organizationId,
    campaignId,
    addresses,
    confirmedDomains,
    now: clock.now(),
  }).catch(() => log.warn({ campaign_id: campaignId }, 'could not request confirmation of e-mail addresses'));
}
