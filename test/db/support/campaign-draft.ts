import { randomUUID } from 'node:crypto';
import type { NewCampaign } from '../../../db/campaigns/campaigns';

/** Returns a draft for two Mondays from 04:00 to 10:30 UTC, with two lines and three attempts. `changes` replaces fields. */
export const campaignDraft = (
  changes: Pick<NewCampaign, 'organizationId' | 'agentId' | 'contacts' | 'now'> & Partial<NewCampaign>,
): NewCampaign => {
  const { id = randomUUID() } = changes;
  return {
    id,
    campaignName: 'A campaign',
    contactSourceType: 'csv',
    contactFileKey: `${id}.csv`,
    contactFileBytes: 100,
    contactColumns: [],
    contactListId: null,
    daysOfWeek: 'monday',
    startMinute: 240,
    endMinute: 630,
    fromDate: '2026-11-02',
    toDate: '2026-11-06',
    maxAttempts: 3,
    retryDelayMins: 30,
    concurrency: 2,
    notificationEmails: [],
    webhookUrl: null,
    perCallWebhookUrl: null,
    windowTimezone: null,
    ruleProfile: null,
    performDndCheck: false,
    actor: { kind: 'operator', id: 'test', requestId: null },
    ...changes,
  };
};
