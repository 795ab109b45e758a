import { ClosingOrder } from '../../dev/stack/closing';
import type { Environment } from '../../dev/stack/platform-environment';
import type { FoundTemporalServer } from '../../dev/toolchain/temporal-tools';
import type { BareRun } from './bare-servers';
import { startBenchStack, type BenchStack } from './bench-stack';
import { unlessAborted } from './unless-aborted';

export interface BenchRun extends BareRun {
  /** Null for the development server. */
  temporalServer: FoundTemporalServer | null;
}

export interface StackSettings {
  ringMs: number;
  talkMs: number;
  /** The maximum of an organization. */
  lines: number;
  /** Variables for the worker only. */
  workerEnvironment?: Environment;
  /** `livekit` uses rooms and an agent. The default is HTTP to the simulator. */
  telephony?: 'http' | 'livekit';
  /** Variables for the agent only. */
  agentEnvironment?: Environment;
}

/** Starts a stack, runs the work and always closes the stack. Rejects if a process dies. */
export async function onStack<T>(
  run: BenchRun,
  settings: StackSettings,
  work: (bench: BenchStack, closing: ClosingOrder) => Promise<T>,
): Promise<T> {
  const closing = new ClosingOrder();
  const given = new AbortController();
  const signal = AbortSignal.any([run.signal, given.signal]);
  try {
    const measured = startBenchStack({
      ...run,
      ...settings,
      signal,
      onUnexpectedEnd: (reason) => given.abort(new Error(reason)),
      closing,
    }).then((bench) => work(bench, closing));
    return await unlessAborted(measured, signal);
  } finally {
    await closing.close();
  }
}
