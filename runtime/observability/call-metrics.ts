import { Counter, type Registry } from 'prom-client';
import type { EndReason } from '../../domain/call-outcome';

/** The end of a call as it was written to the database. */
interface WrittenEnd {
  endReason: EndReason;
  callStatus: string;
  noAudio: boolean;
}

/** Metrics of the API and the worker. The carrier reports most ends to the API, and the worker finds the others. */
export interface CallMetrics {
  /** Only the process that wrote the end calls this, so that a repeated event is counted once. */
  callEnded(end: WrittenEnd): void;
  /** Called once per event whose timestamp was replaced. */
  eventTimeReplaced(event: string): void;
}

export function callMetrics(registry: Registry): CallMetrics {
  const ended = new Counter({
    name: 'voice_agent_calls_ended_total',
    help: 'Calls that ended, by the reason for their end and the final status that the API shows.',
    labelNames: ['end_reason', 'call_status'],
    registers: [registry],
  });
  const withoutAudio = new Counter({
    name: 'voice_agent_calls_without_audio_total',
    help: 'Answered calls that were dropped because the phone sent no audio packet.',
    registers: [registry],
  });
  const replacedTimes = new Counter({
    name: 'voice_agent_event_times_replaced_total',
    help: 'Events whose reported time was before the dial of their call or in the future, by their type.',
    labelNames: ['event'],
    registers: [registry],
  });
  return {
    eventTimeReplaced(event) {
      replacedTimes.inc({ event });
    },
    callEnded({ endReason, callStatus, noAudio }) {
      ended.inc({ end_reason: endReason, call_status: callStatus });
      if (noAudio) withoutAudio.inc();
    },
  };
}

interface Reporting {
  metrics: Pick<CallMetrics, 'eventTimeReplaced'>;
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}

export const TIME_REPLACED = 'the time of an event was replaced by ours: check the clock of its sender';

/** Reports that a carrier, an agent or LiveKit sent an impossible time. */
export const replacedTimes =
  ({ metrics, log }: Reporting) =>
  ({ callId, type }: { callId: string; type: string }): void => {
    metrics.eventTimeReplaced(type);
    log.warn({ call_id: callId, event: type }, TIME_REPLACED);
  };
