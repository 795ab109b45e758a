/** Counts and times the worker's requests to carriers and webhook receivers, and its activity runs. */
import { ApplicationFailure, ApplicationFailureCategory, CompleteAsyncError } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { WebhookSender } from '../../activities/delivering/sender';
import { wrapped } from '../../activities/telephony/wrapped';
import type { Telephony } from '../../activities/telephony/port';

const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Wraps telephony to count and time its requests. */
export function measuredTelephony(telephony: Telephony, registry: Registry): Telephony {
  const registers = [registry];
  const requests = new Counter({
    name: 'voice_agent_carrier_requests_total',
    help: "Requests to the carrier. The outcome is the kind of a dial's answer, otherwise ok or failed.",
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'voice_agent_carrier_request_duration_seconds',
    help: 'From a request to the carrier to its answer.',
    labelNames: ['operation'],
    buckets: REQUEST_BUCKETS_S,
    registers,
  });

  async function measured<Answer>(operation: string, request: () => Promise<Answer>): Promise<Answer> {
    const end = durations.startTimer({ operation });
    let outcome = 'failed';
    try {
      const answer = await request();
      outcome = outcomeOf(answer);
      return answer;
    } finally {
      end();
      requests.inc({ operation, outcome });
    }
  }

  return wrapped(telephony, measured);
}

/** Returns the label of a result, which is one of a few fixed kinds. */
function outcomeOf(answer: unknown): string {
  const hasKind = typeof answer === 'object' && answer !== null && 'kind' in answer;
  return hasKind && typeof answer.kind === 'string' ? answer.kind : 'ok';
}

/** Histogram buckets. An attempt takes at most five seconds. */
const ATTEMPT_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Wraps the sender to count and time attempts. Receivers' addresses are never labels. */
export function measuredWebhooks(sender: WebhookSender, registry: Registry): WebhookSender {
  const registers = [registry];
  const attempts = new Counter({
    name: 'voice_agent_webhook_attempts_total',
    help: 'Attempts to deliver a webhook: accepted, refused with a status, or unanswered.',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'voice_agent_webhook_attempt_duration_seconds',
    help: 'How long an attempt to deliver a webhook took.',
    buckets: ATTEMPT_BUCKETS_S,
    registers,
  });
  return {
    async post(url, body, headers) {
      const answer = await sender.post(url, body, headers);
      const outcome =
        answer.error === null ? 'accepted' : answer.statusCode === null ? 'unanswered' : 'refused';
      attempts.inc({ outcome });
      durations.observe(answer.durationMs / 1000);
      return answer;
    },
  };
}

const ACTIVITY_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Times every run of an activity, local or not, and counts failed ones. Reconciliation fails on purpose between runs, which doesn't count. */
export function activityTimer(registry: Registry): ActivityInterceptorsFactory {
  const registers = [registry];
  const durations = new Histogram({
    name: 'voice_agent_activity_duration_seconds',
    help: 'How long one run of an activity took.',
    labelNames: ['activity'],
    buckets: ACTIVITY_BUCKETS_S,
    registers,
  });
  const failures = new Counter({
    name: 'voice_agent_activity_failures_total',
    help: 'Runs of an activity that failed.',
    labelNames: ['activity'],
    registers,
  });
  return ({ info: { activityType: activity } }) => ({
    inbound: {
      async execute(input, next) {
        const end = durations.startTimer({ activity });
        try {
          return await next(input);
        } catch (error) {
          if (!(error instanceof CompleteAsyncError || isBenign(error))) failures.inc({ activity });
          throw error;
        } finally {
          end();
        }
      },
    },
  });
}

const isBenign = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;
