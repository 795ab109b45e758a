/**
 * What the API, the worker and the tests must agree on about the workflows: names, ids, inputs, results.
 *
 * Nothing personal may be added here: inputs, signals and results are stored by Temporal, so they hold ids,
 * statuses, times and counts only. Numbers, names, prompts and transcripts stay in Postgres.
 *
 * Terminology
 * - campaign: one long workflow that feeds due contacts to the lines and sleeps between them.
 * - call: one workflow for one call attempt, from waiting for a line to the accepted webhook.
 * - line: the right to have one live call; a row in Postgres, never a count in a workflow.
 * - delivery: one webhook event on its way to one URL, at most five attempts.
 * - notification: the e-mails about one campaign's end, each on its way to one recipient.
 * - route: which agent answers one of our numbers, and the carrier's knowledge of it. Its id is that of its row, never the number.
 */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { CallStatus } from '../domain/call-outcome';
import type { FinalCampaignStatus } from '../domain/campaign-status';

export const TASK_QUEUE = 'voice-agent-platform';

/**
 * How long a workflow task of ours may take before another worker is given it: what a worker that was killed held is late by so much. One that
 * takes longer is repeated, which changes nothing (docs/decisions/0026). A local activity that takes longer costs a heartbeat, nothing else.
 */
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

/** Workflow ids are derived from row ids, so that "start it" can be repeated without starting it twice. */
export const workflowId = {
  campaign: (campaignId: string) => `campaign-${campaignId}`,
  /** A call's id is its workflow id, the carrier's reference, and the id that clients see. */
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

export const RETENTION_SCHEDULE_ID = 'retention';
/** Once a day, at an hour in which nobody is called (UTC). */
export const RETENTION_HOUR = 21;

export const searchAttributes = {
  clientId: defineSearchAttributeKey('ClientId', SearchAttributeType.KEYWORD),
  campaignId: defineSearchAttributeKey('CampaignId', SearchAttributeType.KEYWORD),
  agentId: defineSearchAttributeKey('AgentId', SearchAttributeType.KEYWORD),
  /**
   * Set when a call ends in any other status than `completed`, which nine calls in ten do not: every upsert is a
   * billed action and two history events. `CallStatus IS NULL` on a closed call means "talked to its end".
   */
  callStatus: defineSearchAttributeKey('CallStatus', SearchAttributeType.KEYWORD),
  campaignStatus: defineSearchAttributeKey('CampaignStatus', SearchAttributeType.KEYWORD),
};

// Campaign: each signal only says that the row has changed; the row is what counts, so a lost or repeated signal is harmless.
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
export const cancelSignal = defineSignal('cancel');
export const updateSignal = defineSignal('update');
/** Calls ready ahead of the lines run low, or the last line fell idle. */
export const refillSignal = defineSignal('refill');

// Call
/** The transaction that freed a line gave it to this call. */
export const lineGrantedSignal = defineSignal('lineGranted');
/** A person wants the call to end now. The mark in its row is what counts: a lost signal is repeated while the call goes on. */
export const hangUpSignal = defineSignal('hangUp');
/** A wait is long over, and its timer may be lost: the call asks for its next step again. */
export const lookAgainSignal = defineSignal('lookAgain');
/** The call is over and its final status stands in Postgres. */
export const callEndedSignal = defineSignal<[{ callStatus: CallStatus }]>('callEnded');

// Route
export interface RouteChanged {
  /** The carrier is to know at least this revision. */
  revision: number;
}
/** Only says that the row has changed: a lost or repeated signal is harmless. */
export const routeChangedSignal = defineSignal<[RouteChanged]>('routeChanged');

/** What the call waits for, as operators read it, and its final status once that stands. */
export interface CallProgress {
  step: string;
  callStatus: CallStatus | null;
}
export const callProgressQuery = defineQuery<CallProgress>('progress');

/** What the campaign does, as operators read it, and counts of its contacts and calls. */
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
  clientId: string;
  agentId: string;
  /** The status in the search attributes, which a run takes over from the run before; absent in the first. */
  indexedStatus?: string;
}

export interface CampaignResult {
  status: FinalCampaignStatus;
}

export interface CallInput {
  callId: string;
  clientId: string;
  agentId: string;
  /** Absent on a dispatched call. A campaign registers its calls for a line itself, a page at a time. */
  campaignId?: string;
  /**
   * How long a dispatched call may wait for a line before it expires. Absent on a campaign's call: its wait is bounded by the
   * campaign, which withdraws what still waits when it is cancelled or its date range ends.
   */
  waitLimitMs?: number;
  /** Of a callback: it asks for no line before this instant. */
  notBefore?: number;
  /** Of an inbound call, which has its line and is at the carrier: by the deadline its end has been reported, or something is wrong. */
  placed?: { deadlineMs: number };
}

export interface CallResult {
  callStatus: CallStatus;
}

export interface ReconcileInput {
  /** A process or a server was away: what is under way is looked at now, not when it is late. */
  afterOutage: boolean;
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
  /** `removed`: the carrier has forgotten the number. */
  state: 'in place' | 'removed';
}

/** Counts of e-mails, those of earlier runs left out. */
export interface NotificationResult {
  sent: number;
  failed: number;
  /** No mail server is configured any more. */
  skipped: number;
}
