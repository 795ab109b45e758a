/** State, signals, steps and waits of a call's workflow. */
import { CancellationScope, condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import {
  callEndedSignal,
  callProgressQuery,
  hangUpSignal,
  lineGrantedSignal,
  recheckSignal,
  type CallInput,
} from './contract';
import type { Answer } from '../activities/local-activity';
import type { CallStatus } from '../domain/call-outcome';

/** Number of signals that a call has received. */
interface SignalCounts {
  /** Signals that granted a line. */
  grants: number;
  /** Signals about an end or a hang-up, cancellations of the workflow, and reconciliation's signals. */
  ends: number;
}

export interface Call {
  input: CallInput;
  received: SignalCounts;
  /**
   * The signal counts when the last step was scheduled, as returned with the step's result. A wait ends when more signals have arrived.
   */
  known: SignalCounts;
  /** An operator cancelled the workflow. */
  isCancelled: boolean;
  /** The final status, once the workflow knows it. */
  ended: CallStatus | null;
  /** Shown to operators. */
  progress: string;
}

export function openCall(input: CallInput): Call {
  const call: Call = {
    input,
    received: { grants: 0, ends: 0 },
    known: { grants: 0, ends: 0 },
    isCancelled: false,
    ended: null,
    progress: 'starting',
  };
  setHandler(lineGrantedSignal, () => void (call.received.grants += 1));
  setHandler(hangUpSignal, () => void (call.received.ends += 1));
  setHandler(recheckSignal, () => void (call.received.ends += 1));
  setHandler(callEndedSignal, ({ callStatus }) => {
    call.received.ends += 1;
    call.ended ??= callStatus;
  });
  setHandler(callProgressQuery, () => ({ step: call.progress, callStatus: call.ended }));
  CancellationScope.current().cancelRequested.catch(() => {
    call.received.ends += 1;
    call.isCancelled = true;
  });
  return call;
}

export function showProgress(call: Call, progress: string): void {
  call.progress = progress;
  setCurrentDetails(progress);
}

/**
 * Runs a local activity with a copy of the signal counts, and stores the copy that is returned with its result. Never store the live counts
 * instead, because a replay may already see later signals ("Workflow code and signals" in docs/architecture.md).
 */
export async function step<Input extends object, Result>(
  call: Call,
  activity: (input: Input & { asked: SignalCounts }) => Promise<Answer<Result, SignalCounts>>,
  input: Input,
): Promise<Result> {
  const { result, asked } = await activity({ ...input, asked: { ...call.received } });
  call.known = asked;
  return result;
}

interface Timer {
  isOver: boolean;
}

/**
 * Starts a timer that is never cancelled. Start it before a wait checks its condition, because a replay may already see the signal that
 * ended the wait, but must start the timers that are in the history.
 */
export function startTimer(ms: number, summary: string): Timer {
  const timer = { isOver: false };
  void sleep(Math.max(1, ms), { summary }).then(() => (timer.isOver = true));
  return timer;
}

/** Waits until the timer fires, or until a signal arrives that the last step did not know and that reports an end or requests one. */
export function untilEnded({ received, known }: Call, timer: Timer | null): Promise<void> {
  return condition(() => received.ends > known.ends || timer?.isOver === true);
}

/** Waits like `untilEnded()`, and also for a line. */
export function untilGranted({ received, known }: Call, timer: Timer | null): Promise<void> {
  return condition(
    () => received.grants > known.grants || received.ends > known.ends || timer?.isOver === true,
  );
}
