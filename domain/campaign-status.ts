import type { Shape, ValueOf } from './shape';

/** The life of a campaign as clients see it. */
export const CAMPAIGN_STATUSES = [
  'scheduled',
  'active',
  'paused',
  'paused_out_of_range',
  'completed',
  'cancelled',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The four whose changes are announced by webhook. */
export const ANNOUNCED_STATUSES = ['active', 'paused', 'completed', 'cancelled'] as const;
export type AnnouncedStatus = (typeof ANNOUNCED_STATUSES)[number];

export function isAnnounced(status: CampaignStatus): status is AnnouncedStatus {
  return (ANNOUNCED_STATUSES as readonly string[]).includes(status);
}

/** The two that a campaign never leaves. */
export type FinalCampaignStatus = Extract<CampaignStatus, 'completed' | 'cancelled'>;

/** The two in which the engine itself rests a campaign, until its window opens. */
export type RestingStatus = Extract<CampaignStatus, 'scheduled' | 'paused_out_of_range'>;

export function isFinal(status: CampaignStatus): status is FinalCampaignStatus {
  return status === 'completed' || status === 'cancelled';
}

/** Those that a person can still change a campaign in. */
export const OPEN_STATUSES: readonly CampaignStatus[] = CAMPAIGN_STATUSES.filter(
  (status) => !isFinal(status),
);

/** Those in which it dials, now or by itself once its window opens. */
export const DIALLING_STATUSES: readonly CampaignStatus[] = OPEN_STATUSES.filter(
  (status) => status !== 'paused',
);

export const CAMPAIGN_STATS = {
  type: 'object',
  name: 'CampaignStats',
  meaning: 'Contacts by state; they always add up',
  fields: {
    total_calls: { type: 'integer', least: 0, meaning: 'Contacts' },
    completed: { type: 'integer', least: 0, meaning: 'Answered, voicemail included' },
    pending: { type: 'integer', least: 0 },
    in_progress: { type: 'integer', least: 0 },
    failed: {
      type: 'integer',
      least: 0,
      meaning: 'failed, duplicate, dnd, invalid, cancelled and expired contacts',
    },
  },
} as const satisfies Shape;
export type CampaignStats = ValueOf<typeof CAMPAIGN_STATS>;

/** Every contact is in exactly one of the four sums, so they always add up. */
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
