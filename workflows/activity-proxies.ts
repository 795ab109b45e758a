/** One proxy for each kind of side effect, with the reason for its policy. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

/** A database that is away comes back: asked for ever, at most every five seconds. */
const UNTIL_POSTGRES_ANSWERS = {
  initialInterval: '200ms',
  backoffCoefficient: 2,
  maximumInterval: '5s',
} as const;

/** Short transactions run as local activities: one workflow task instead of three. All are idempotent. */
const transaction = { startToCloseTimeout: '10s', retry: UNTIL_POSTGRES_ANSWERS } as const;

export const campaignRows = proxyLocalActivities<Activities>(transaction);

export const lines = proxyLocalActivities<Activities>(transaction);

/**
 * At most one request to the carrier (5 s) beside its transactions, and brief waits for an agent and the do-not-disturb registry: what takes
 * longer is `preparation`. May run twice: a second run finds the intent of the first and looks the call up instead of dialling.
 */
export const carrier = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * An agent may take 20 s to be ready in its room, the registry as long as it is set to. May run twice: the room is the same. A worker that dies
 * with it shows by its heartbeat. When the time is over, the call is dialled as one that could not be prepared, which asks again for a while.
 */
export const preparation = proxyActivities<Activities>({
  startToCloseTimeout: '50s',
  heartbeatTimeout: '6s',
  scheduleToCloseTimeout: '60s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
  summary: 'waits for an agent, or for the do-not-disturb registry',
});

/**
 * Processing by rules is a matter of milliseconds (a language model is asked before, by a regular activity with its own policy). With it go one
 * request to the carrier for the transcript, of five seconds at most, and a brief wait for the receiver of the webhook.
 */
export const callRecord = proxyLocalActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

export const notificationRows = proxyLocalActivities<Activities>(transaction);

/**
 * A mail server that is away, or takes nothing now, is retried after 1, 2, 4 … minutes and then hourly until the time is over; one that
 * refuses the message for good is a result. One proxy for each e-mail, so that operators can distinguish them.
 */
export const completionMail = ({ summary, timeLeftMs }: { summary: string; timeLeftMs: number }) =>
  proxyActivities<Activities>({
    // Sending alone takes a minute at most.
    startToCloseTimeout: '2m',
    scheduleToCloseTimeout: timeLeftMs,
    retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
    summary,
  });

/**
 * One request to the carrier, of five seconds at most. A carrier that is away is asked for ever, at most every minute, so that operators see
 * the route wait; each attempt registers what is wanted by then. What the carrier refuses is not asked again here.
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

/** Every ten seconds anyway, so a failed pass is not repeated. */
export const reconciliation = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 1 },
  summary: 'looks for what is overdue',
});

/** Pages until nothing is past its time, and a heartbeat for each. What could not be deleted is retried within the hour, then a day later. */
export const retention = proxyActivities<Activities>({
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
  summary: 'deletes what is past its time',
});
