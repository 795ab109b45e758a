import type { CallStage } from './call-stage';
import type { CampaignStatus } from './campaign-status';

/** What operators watch of the whole platform, as Postgres has it. */
export interface PlatformState {
  linesInUse: number;
  /** Lines whose call is over, or does not hold one. */
  linesLeaked: number;
  /** Seconds, as all ages here; 0 where there is none. */
  oldestLineS: number;
  oldestUnusedLineS: number;
  /** Calls that are not over, by stage. */
  callsByStage: Readonly<Partial<Record<CallStage, number>>>;
  unprocessedCalls: number;
  oldestUnprocessedCallS: number;
  /** Calls past their organisation's days of which everything is kept, as they are not processed. */
  callsPastRetention: number;
  /** Workflows that run and do not go on. */
  stuckWorkflows: number;
  openCampaignsByStatus: Readonly<Partial<Record<CampaignStatus, number>>>;
  /** Campaigns that could dial now: due contacts, a free line, and nobody dials. */
  starvedCampaigns: number;
  pendingWebhooks: number;
  oldestPendingWebhookS: number;
  /** How late the webhook attempt is that should have been made first. */
  webhookAttemptLateS: number;
}

/** The connections to Postgres of one process, at an instant. */
export interface PoolUse {
  used: number;
  free: number;
  /** Who waits for a connection. */
  waiting: number;
  most: number;
}
