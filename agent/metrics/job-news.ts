import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readNews, type MetricsNews } from './news';

/** Node tells of each process that it starts: the SDK, which starts them, hands none of them out. */
const STARTED = 'child_process';

/** Hears the processes that are started from now on. One that dies in the middle of a conversation has its end told for it. */
export function followJobs(hear: (news: MetricsNews) => void): { stop(): void } {
  const started = (message: unknown): void => {
    if (isStarting(message)) followJob(message.process, hear);
  };
  subscribe(STARTED, started);
  return { stop: () => unsubscribe(STARTED, started) };
}

function followJob(child: ChildProcess, hear: (news: MetricsNews) => void): void {
  let isHolding = false;
  child.on('message', (message) => {
    const news = readNews(message);
    if (news === null) return;
    if (news.kind === 'begun') isHolding = true;
    if (news.kind === 'ended') isHolding = false;
    hear(news);
  });
  child.once('exit', () => {
    if (isHolding) hear({ kind: 'ended', end: 'vanished' });
  });
}

const isStarting = (message: unknown): message is { process: ChildProcess } =>
  typeof message === 'object' && message !== null && 'process' in message;
