/** Splits a line's idle time into parts, from the end of a call through Temporal to the next request. */
import { instantOf, type HistoryEvent } from './history-event';

export interface WakeUp {
  /** When Temporal accepted the signal that grants the line. */
  grantedAtMs: number;
  /** When a worker started the resulting workflow task. */
  startedAtMs: number;
}

/** Returns null if no signal granted the call a line. */
export function wakeUpOf(events: readonly HistoryEvent[], signalName: string): WakeUp | null {
  const granted = events.find(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signalName,
  );
  if (granted === undefined) return null;
  const started = events
    .slice(events.indexOf(granted))
    .find((event) => event.workflowTaskStartedEventAttributes);
  if (started === undefined) return null;
  return { grantedAtMs: instantOf(granted), startedAtMs: instantOf(started) };
}

export interface WakeUpStages {
  /** From the end of a call to the signal: the carrier's event, the transaction and the signal. */
  handOverMs: number[];
  /** From the signal until a worker has the workflow task. */
  pickUpMs: number[];
  /** From the workflow task until the carrier has the request: workflow code, the transaction before the dial, and the request. */
  dialMs: number[];
}

/** After the first `lines` grants, the kth grant uses the line that the kth end freed. */
export function stagesOf(
  calls: readonly { wakeUp: WakeUp; requestedAtMs: number }[],
  endedAtMs: readonly number[],
  lines: number,
): WakeUpStages {
  const handedOn = [...calls].sort((a, b) => a.wakeUp.grantedAtMs - b.wakeUp.grantedAtMs).slice(lines);
  return {
    handOverMs: handedOn.map(({ wakeUp }, k) => wakeUp.grantedAtMs - (endedAtMs[k] ?? NaN)),
    pickUpMs: handedOn.map(({ wakeUp }) => wakeUp.startedAtMs - wakeUp.grantedAtMs),
    dialMs: handedOn.map(({ wakeUp, requestedAtMs }) => requestedAtMs - wakeUp.startedAtMs),
  };
}
