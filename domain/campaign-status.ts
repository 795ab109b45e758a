import type { Shape, ValueOf } from './shape';

export const CAMPAIGN_STATUSES = [
  'scheduled',
  'active',
  'paused',
  'paused_out_of_range',
  'completed',
  'cancelled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Statuses that a webhook reports. */
export const REPORTED_STATUSES = ['active', 'paused', 'completed', 'cancelled'] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

export function isNotified(status: CampaignStatus): status is ReportedStatus {
  return (REPORTED_STATUSES as readonly string[]).includes(status);
}

/** Statuses that a campaign never leaves. */
export type FinalCampaignStatus = Extract<CampaignStatus, 'completed' | 'cancelled'>;

/** Statuses of a campaign that waits for its window to open. */
export type RestingStatus = Extract<CampaignStatus, 'scheduled' | 'paused_out_of_range'>;

export function isFinal(status: CampaignStatus): status is FinalCampaignStatus {
  return status === 'completed' || status === 'cancelled';
}

/** Statuses of a campaign that can still be changed. */
export const OPEN_STATUSES: readonly CampaignStatus[] = CAMPAIGN_STATUSES.filter(
  (status) => !isFinal(status),
);

/** Statuses of a campaign that dials now or will dial when its window opens. */
export const DIALLING_STATUSES: readonly CampaignStatus[] = OPEN_STATUSES.filter(
  (status) => status !== 'paused',
);

export const CAMPAIGN_STATS = {
  type: 'object',
  name: 'CampaignStats',
  meaning: 'Contacts by state; they add up to `total_calls`',
  fields: {
    total_calls: { type: 'integer', min: 0, meaning: 'Contacts' },
    completed: { type: 'integer', min: 0, meaning: 'Answered, including voicemail' },
    pending: { type: 'integer', min: 0 },
    in_progress: { type: 'integer', min: 0 },
    failed: {
      type: 'integer',
      min: 0,
      meaning: 'failed, duplicate, dnd, invalid, cancelled and expired contacts',
    },
  },
} as const satisfies Shape;
type CampaignStats = ValueOf<typeof CAMPAIGN_STATS>;

export function statsOf(counts: {
  total: number;
  completed: number;
  inProgress: number;
  failed: number;
}): CampaignStats {
  return {
    total_calls: counts.total,
    completed: counts.completed,
    pending: counts.total - counts.completed - counts.inProgress - counts.failed,
    in_progress: counts.inProgress,
    failed: counts.failed,
  };
}
