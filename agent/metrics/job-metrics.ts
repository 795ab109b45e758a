import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readMetricsMessage, type MetricsMessage } from './metrics-message';

/** Node publishes each started process on this channel. The SDK starts the job processes but exposes none of them. */
const STARTED = 'child_process';

/** Records the messages of processes that are started from now on. A process that dies during a conversation counts as `vanished`. */
export function collectJobMetrics(onMessage: (message: MetricsMessage) => void): { stop(): void } {
  const started = (message: unknown): void => {
    if (isStarting(message)) collectFrom(message.process, onMessage);
  };
  subscribe(STARTED, started);
  return { stop: () => unsubscribe(STARTED, started) };
}

function collectFrom(child: ChildProcess, onMessage: (message: MetricsMessage) => void): void {
  let isActive = false;
  child.on('message', (received) => {
    const message = readMetricsMessage(received);
    if (message === null) return;
    if (message.kind === 'begun') isActive = true;
    if (message.kind === 'ended') isActive = false;
    onMessage(message);
  });
  child.once('exit', () => {
    if (isActive) onMessage({ kind: 'ended', end: 'vanished' });
  });
}

const isStarting = (message: unknown): message is { process: ChildProcess } =>
  typeof message === 'object' && message !== null && 'process' in message;
