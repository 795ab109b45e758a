/** Writes a history to a file: one event per line, without data that identifies the machine. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { History } from './fetch-history';

/** Process id and host, as they appear in the names of workers and of sticky queues. */
const PROCESS = /\d+@[\w.-]+/g;

/** Removes identities and stack traces, because replays don't need them. */
function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  return typeof value === 'string' ? value.replace(PROCESS, 'recorder') : value;
}

export function historyText(history: History): string {
  const read: unknown = JSON.parse(historyToJSON(history), withoutMachine);
  if (typeof read !== 'object' || read === null || !('events' in read) || !Array.isArray(read.events)) {
    throw new Error('the history has no events');
  }
  const lines = read.events.map((event: unknown) => JSON.stringify(event));
  return `{"events":[\n${lines.join(',\n')}\n]}\n`;
}
