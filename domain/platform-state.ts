import type { CallStage } from './call';
import type { CampaignStatus } from './campaign-status';

/** State of the whole platform in Postgres, for metrics. */
export interface PlatformState {
  linesInUse: number;
  /** Lines whose call is over or should not hold one. */
  linesLeaked: number;
  /** All ages are in seconds. An age is 0 if there is no line, call or webhook. */
  oldestLineS: number;
  oldestUnusedLineS: number;
  /** Number of calls that are not over, by stage. */
  callsByStage: Readonly<Partial<Record<CallStage, number>>>;
  unprocessedCalls: number;
  oldestUnprocessedCallS: number;
  /** Calls past their organization's retention period that are kept because they are not processed yet. */
  callsPastRetention: number;
  /** Running workflows that make no progress. */
  stuckWorkflows: number;
  openCampaignsByStatus: Readonly<Partial<Record<CampaignStatus, number>>>;
  /** Campaigns that have due contacts and a free line but don't dial. */
  starvedCampaigns: number;
  pendingWebhooks: number;
  oldestPendingWebhookS: number;
  /** Delay of the most overdue webhook attempt, in seconds. */
  webhookAttemptLateS: number;
}

/** A process's connections to Postgres. */
export interface PoolUse {
  used: number;
  free: number;
  /** Number of requests that wait for a connection. */
  waiting: number;
  max: number;
}
