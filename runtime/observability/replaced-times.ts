/** Reports that a carrier, an agent or LiveKit sent an impossible time. */
import type { CallMetrics } from './call-metrics';

interface Reporting {
  metrics: Pick<CallMetrics, 'eventTimeReplaced'>;
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}

export const TIME_REPLACED = 'the time of an event was replaced by ours: check the clock of its sender';

export const replacedTimes =
  ({ metrics, log }: Reporting) =>
  ({ callId, type }: { callId: string; type: string }): void => {
    metrics.eventTimeReplaced(type);
    log.warn({ call_id: callId, event: type }, TIME_REPLACED);
  };
