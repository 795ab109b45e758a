/** What a call's workflow has received and shows, and how it waits. */
import { CancellationScope, condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import {
  callEndedSignal,
  callProgressQuery,
  hangUpSignal,
  lineGrantedSignal,
  lookAgainSignal,
  type CallInput,
} from './contract';
import type { CallStatus } from '../domain/call-outcome';

/** How many signals a call has received. */
export interface CallReceived {
  /** Lines granted. */
  grants: number;
  /** Ends, and requests to end it or to look again: by a hang-up, by an operator who cancels the workflow, or by reconciliation. */
  ends: number;
}

export const NOTHING: CallReceived = { grants: 0, ends: 0 };

export interface Call {
  input: CallInput;
  received: CallReceived;
  /** An operator cancelled the workflow. */
  stopAsked: boolean;
  /** The final status, once it is known here. */
  ended: CallStatus | null;
  /** What operators read. */
  step: string;
}

export function openCall(input: CallInput): Call {
  const call: Call = { input, received: { ...NOTHING }, stopAsked: false, ended: null, step: 'starting' };
  setHandler(lineGrantedSignal, () => void (call.received.grants += 1));
  setHandler(hangUpSignal, () => void (call.received.ends += 1));
  setHandler(lookAgainSignal, () => void (call.received.ends += 1));
  setHandler(callEndedSignal, ({ callStatus }) => {
    call.received.ends += 1;
    call.ended ??= callStatus;
  });
  setHandler(callProgressQuery, () => ({ step: call.step, callStatus: call.ended }));
  CancellationScope.current().cancelRequested.catch(() => {
    call.received.ends += 1;
    call.stopAsked = true;
  });
  return call;
}

export function setStep(call: Call, step: string): void {
  call.step = step;
  setCurrentDetails(step);
}

export interface Timer {
  isOver: boolean;
}

/**
 * Started before a wait looks whether it is over already, and never cancelled: a replay may know of a signal where the run still waited, and
 * the history has its timer. A timer that is left over wakes nobody, or one step too many.
 */
export function startTimer(ms: number, summary: string): Timer {
  const timer = { isOver: false };
  void sleep(Math.max(1, ms), { summary }).then(() => (timer.isOver = true));
  return timer;
}

/** Until an end, or a request for one, of which the step that asked did not know; or until the time is over. */
export function untilEnded({ received }: Call, asked: CallReceived, timer: Timer | null): Promise<void> {
  return condition(() => received.ends > asked.ends || timer?.isOver === true);
}

/** The same, or until a line was granted. */
export function untilGranted({ received }: Call, asked: CallReceived, timer: Timer | null): Promise<void> {
  return condition(
    () => received.grants > asked.grants || received.ends > asked.ends || timer?.isOver === true,
  );
}
