/** How a history is kept in a file: one event a line, without what identifies the machine that recorded it. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { History } from './fetch-history';

/** A process and its host, as in the names of workers and of the queues that are theirs alone. */
const PROCESS = /\d+@[\w.-]+/g;

/** Replay looks at none of it: who did something, and where in whose files a failure was thrown. */
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
