/** Where an idle line's time goes: from the end of one call over Temporal to the request for the next. */
import { instantOf, type HistoryEvent } from './history-event';

export interface WakeUp {
  /** Temporal has taken the signal that there is a line. */
  grantedAtMs: number;
  /** A worker has taken the task that follows from it. */
  startedAtMs: number;
}

/** Null for a call that was never signalled a line. */
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
  /** From the end of a call to the signal that gives its line on: the carrier's event, the transaction, the signal. */
  handOverMs: number[];
  /** From the signal until a worker has the task. */
  pickUpMs: number[];
  /** From there to the carrier's receipt of the request: the workflow's code, the transaction before the dial, the request. */
  dialMs: number[];
}

/** The kth line that is given on after the first `lines` is the one that the kth end freed. */
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
