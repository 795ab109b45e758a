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
 * At most one request to the carrier (5 s) beside its transactions; over LiveKit a room and an agent ready in it before that (20 s, when all goes
 * well a fraction of a second). May run twice: a second run finds the intent of the first and looks the call up instead of dialling.
 */
export const carrier = proxyLocalActivities<Activities>({
  startToCloseTimeout: '40s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * Processing by rules is a matter of milliseconds (a language model is asked before, by a regular activity with its own policy), and the first
 * delivery goes with it: two requests to the carrier, one for the transcript and one to the receiver, five seconds each at most.
 */
export const callRecord = proxyLocalActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * A language model takes seconds, and may be away for minutes: asked after 2, 4, 8 … seconds and then every minute, until the time is over.
 * What it refuses for good is not asked again. A worker that dies with it shows by its heartbeat.
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
  summary: 'a language model reads what was said',
});

/** A refusal by the receiver is a result, not a failure: only a dead database or worker makes this run again. */
export const firstDelivery = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: UNTIL_POSTGRES_ANSWERS,
});

/**
 * The activity itself names the delay before its next attempt (`nextRetryDelay`), from the ledger; the interval here only serves
 * when a worker died during an attempt. Without end here: the ledger ends it at the fifth attempt.
 */
export const laterDeliveries = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '5s', backoffCoefficient: 1 },
  summary: 'webhook attempts 2 to 5',
});

export const notificationRows = proxyLocalActivities<Activities>(transaction);

/**
 * A mail server that is away, or takes nothing now, is tried after 1, 2, 4 … minutes and then hourly until the time is over; one that
 * refuses the message for good is a result. One proxy for each e-mail, so that operators tell them apart.
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
 * the route wait; each attempt tells what is wanted by then. What the carrier refuses is not asked again here.
 */
export const carrierRoutes = proxyActivities<Activities>({
  startToCloseTimeout: '15s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '1m',
    nonRetryableErrorTypes: ['RouteRefused'],
  },
  summary: 'tells the carrier who answers a number',
});

/** Every ten seconds anyway, so a failed pass is not repeated. */
export const reconciliation = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 1 },
  summary: 'looks for what is overdue',
});

/** Pages until nothing is past its time, and a heartbeat for each. What could not be deleted is tried again within the hour, then a day later. */
export const retention = proxyActivities<Activities>({
  startToCloseTimeout: '6h',
  heartbeatTimeout: '1m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1m', backoffCoefficient: 2, maximumInterval: '1h' },
  summary: 'deletes what is past its time',
});
