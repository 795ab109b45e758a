/**
 * Names, ids, inputs and results of the workflows, shared by the API, the worker and the tests.
 *
 * Don't add personal data. Temporal stores inputs, signals and results, so they contain only ids, statuses, times and counts. Numbers,
 * names, prompts and transcripts stay in Postgres.
 *
 * Terminology
 * - campaign: one long workflow that starts calls for due contacts and sleeps in between.
 * - call: one workflow for one call attempt, from waiting for a line to the accepted webhook.
 * - line: the right to have one live call. It is a row in Postgres, never a count in a workflow.
 * - delivery: sends one webhook event to one URL, in at most five attempts.
 * - notification: sends the e-mails about one campaign's end.
 * - route: which agent answers one of our numbers. Its id is the id of its row, never the number.
 */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { CallStatus } from '../domain/call-outcome';
import type { FinalCampaignStatus } from '../domain/campaign-status';

export const TASK_QUEUE = 'voice-agent-platform';

/** The time after which Temporal gives a workflow task to another worker (docs/decisions/0026). A repeated task changes nothing. */
export const WORKFLOW_TASK_TIMEOUT_MS = 3_000;

export const WORKFLOW_TYPES = {
  campaign: 'campaignWorkflow',
  call: 'callWorkflow',
  delivery: 'deliveryWorkflow',
  notification: 'notificationWorkflow',
  inboundRoute: 'inboundRouteWorkflow',
  reconcile: 'reconcileWorkflow',
  retention: 'retentionWorkflow',
} as const;

/** Workflow ids are derived from row ids, so that repeated starts create only one workflow. */
export const workflowId = {
  campaign: (campaignId: string) => `campaign-${campaignId}`,
  /** A call's id is also the carrier's reference and the `call_id` of the API. */
  call: (callId: string) => callId,
  delivery: (deliveryId: string) => `delivery-${deliveryId}`,
  notification: (campaignId: string) => `notification-${campaignId}`,
  inboundRoute: (routeId: string) => `inbound-route-${routeId}`,
  reconcile: () => 'reconcile',
  retention: () => 'retention',
  catchUp: (unique: string) => `reconcile-after-outage-${unique}`,
};

export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const RECONCILE_EVERY_MS = 10_000;
/** Runs of reconciliation per scheduled workflow. Starting a workflow costs several times as much as a run. */
export const RECONCILE_RUNS = 6;

export const RETENTION_SCHEDULE_ID = 'retention';
/** UTC hour of the daily run, outside every calling window. */
export const RETENTION_HOUR = 21;

export const searchAttributes = {
  organizationId: defineSearchAttributeKey('OrganizationId', SearchAttributeType.KEYWORD),
  campaignId: defineSearchAttributeKey('CampaignId', SearchAttributeType.KEYWORD),
  agentId: defineSearchAttributeKey('AgentId', SearchAttributeType.KEYWORD),
  /**
   * Set only when a call ends with a status other than `completed`, because an upsert costs a billed action and two history events.
   * `CallStatus IS NULL` on a closed workflow therefore means `completed`.
   */
  callStatus: defineSearchAttributeKey('CallStatus', SearchAttributeType.KEYWORD),
  campaignStatus: defineSearchAttributeKey('CampaignStatus', SearchAttributeType.KEYWORD),
};

// Signals of a campaign only report that its row has changed, so a lost or repeated signal is harmless.
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
export const cancelSignal = defineSignal('cancel');
export const updateSignal = defineSignal('update');
/** Few calls are waiting for a line, or the last line became idle. */
export const refillSignal = defineSignal('refill');

// Signals of a call
/** The call has got a line. */
export const lineGrantedSignal = defineSignal('lineGranted');
/** A person requested a hang-up. The call's row contains the request, and reconciliation repeats a lost signal. */
export const hangUpSignal = defineSignal('hangUp');
/** The call is overdue and must run its next step. */
export const recheckSignal = defineSignal('recheck');
/** The call is over and Postgres has its final status. */
export const callEndedSignal = defineSignal<[{ callStatus: CallStatus }]>('callEnded');

// Signal of a route
export interface RouteChanged {
  /** The minimum revision that the carrier must know. */
  revision: number;
}
/** Only reports that the row has changed, so a lost or repeated signal is harmless. */
export const routeChangedSignal = defineSignal<[RouteChanged]>('routeChanged');

/** Shown to operators: the current step, and the final status once it is known. */
export interface CallProgress {
  step: string;
  callStatus: CallStatus | null;
}
export const callProgressQuery = defineQuery<CallProgress>('progress');

/** Shown to operators. */
export interface CampaignProgress {
  step: string;
  endedContacts: number;
  total: number;
  liveCalls: number;
  waitingCalls: number;
}

export const campaignProgressQuery = defineQuery<CampaignProgress>('progress');

export interface CampaignInput {
  campaignId: string;
  organizationId: string;
  agentId: string;
  /** The search attribute `CampaignStatus` as the previous run left it. Absent in the first run. */
  indexedStatus?: string;
}

export interface CampaignResult {
  status: FinalCampaignStatus;
}

export interface CallInput {
  callId: string;
  organizationId: string;
  agentId: string;
  /** Absent on dispatched and inbound calls. */
  campaignId?: string;
  /**
   * How long a dispatched call may wait for a line before it expires. Absent on a campaign's call, because the campaign limits the wait.
   */
  waitLimitMs?: number;
  /** The instant at which a callback is due. The call requests no line before then. */
  notBefore?: number;
  /** Present on an inbound call, which already has its line. The call is looked up if its end is not reported by the deadline. */
  placed?: { deadlineMs: number };
}

export interface CallResult {
  callStatus: CallStatus;
}

export interface ReconcileInput {
  /** A process or a server was down, so check all calls in progress and not only overdue ones. */
  afterOutage: boolean;
  /** How many times to run, `RECONCILE_EVERY_MS` apart. Default: once. */
  runs?: number;
}

export interface DeliveryInput {
  deliveryId: string;
}

export interface NotificationInput {
  campaignId: string;
}

export interface InboundRouteInput {
  routeId: string;
}

export interface InboundRouteResult {
  /** `removed`: the carrier no longer has the number. */
  state: 'in place' | 'removed';
}

/** Numbers of e-mails in this run. */
export interface NotificationResult {
  sent: number;
  failed: number;
  /** E-mails that were not sent because no mail server is configured. */
  skipped: number;
}
