/** Activity proxies for each kind of side effect, with their retry policies. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { RECONCILE_EVERY_MS, type ReconcileInput } from './contract';

/** Retries without limit, because Postgres will come back. */
const UNTIL_POSTGRES_ANSWERS = {
  initialInterval: '200ms',
  backoffCoefficient: 2,
  maximumInterval: '5s',
} as const;

/** For short, idempotent transactions. As local activities, they cost one workflow task instead of three. */
const transaction = { startToCloseTimeout: '10s', retry: UNTIL_POSTGRES_ANSWERS } as const;

export const campaignRows = proxyLocalActivities<Activities>(transaction);

export const lines = proxyLocalActivities<Activities>(transaction);

/**
 * For dials, which send at most one request to the carrier (5 s). Longer waits are in `preparation`. A second run finds the first run's
 * intent and looks the call up. If the call is over, the dial processes it like `callRecord`.
 */
export const carrier = proxyLocalActivities<Activities>({
  startToCloseTimeout: '40s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * Waits up to 20 s for an agent to join its room, or for the registry up to its configured timeout. If heartbeats stop, the worker has
 * died.
 */
export const preparation = proxyActivities<Activities>({
  startToCloseTimeout: '50s',
  heartbeatTimeout: '6s',
  scheduleToCloseTimeout: '60s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
  summary: 'waits for an agent or for the do-not-disturb registry',
});

/**
 * Processes calls by rules, with one request to the carrier for the transcript (5 s) and a brief wait for the webhook receiver. A language
 * model runs earlier, in a separate regular activity.
 */
export const callRecord = proxyLocalActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * A language model takes seconds and may be unavailable for minutes, so the interval between attempts grows from 2 s to a minute. If
 * heartbeats stop, the worker has died.
 */
export const conversationAnalysis = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '20m',
  retry: {
    initialInterval: '2s',
    backoffCoefficient: 2,
    maximumInterval: '1m',
    nonRetryableErrorTypes: ['ModelRefused', 'AnswerInvalid'],
  },
  summary: 'a language model analyses the transcript',
});

export const notificationRows = proxyLocalActivities<Activities>(transaction);

/**
 * Retries after 1, 2, 4 … minutes and then hourly while the mail server is unavailable. Each e-mail has a separate proxy, so that operators
 * can distinguish the e-mails by summary.
 */
export const completionMail = ({ summary, timeLeftMs }: { summary: string; timeLeftMs: number }) =>
  proxyActivities<Activities>({
    // Sending takes at most a minute.
    startToCloseTimeout: '2m',
    scheduleToCloseTimeout: timeLeftMs,
    retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
    summary,
  });

/**
 * Makes one request to the carrier (5 s). Retries without limit while the carrier is unavailable, and each attempt registers the latest
 * revision.
 */
export const carrierRoutes = proxyActivities<Activities>({
  startToCloseTimeout: '15s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '1m',
    nonRetryableErrorTypes: ['RouteRefused'],
  },
  summary: 'registers an inbound number with the carrier',
});

/** Each attempt is a run. All but the last fail on purpose, because Temporal then times the next run without a workflow task. */
export const reconciliation = ({ runs = 1 }: ReconcileInput) =>
  proxyActivities<Activities>({
    startToCloseTimeout: '60s',
    retry: { maximumAttempts: runs, initialInterval: RECONCILE_EVERY_MS, backoffCoefficient: 1 },
    summary: 'repairs overdue calls, campaigns and deliveries',
  });

/** Deletes page by page, with a heartbeat per page. Failed deletions are retried for twelve hours, and again the next day. */
export const retention = proxyActivities<Activities>({
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
  summary: 'deletes data past its retention period',
});
