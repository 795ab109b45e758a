import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readMetricsMessage, type MetricsMessage } from './metrics-message';

/** Node tells of each process that it starts: the SDK, which starts them, hands none of them out. */
const STARTED = 'child_process';

/** Hears the processes that are started from now on. One that dies in the middle of a conversation has its end told for it. */
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
