import { Counter, Histogram, type Registry } from 'prom-client';
import type { WebhookSender } from '../../activities/delivering/sender';

/** Histogram buckets. An attempt takes five seconds at most. */
const BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

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
    buckets: BUCKETS_S,
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
