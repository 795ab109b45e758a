/**
 * Loaded into the worker before anything else (`--require`), in its threads too, where the workflows run: on SIGCONT, which means
 * nothing to the worker (it ends on SIGUSR2), each collects its garbage and the process writes what is left. Not part of the platform.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface MemoryReport {
  rssBytes: number;
  /** JavaScript heap of the main thread. */
  mainHeapBytes: number;
  /** Of the threads that run workflows, together. */
  threadHeapBytes: number;
}

const { BENCH_MEMORY_FILE: FILE } = process.env;
/** How long the threads may take to answer. */
const ANSWERS_MS = 2000;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // A context made after the flag was set knows the function.
  runInNewContext('gc()');
}

function usedHeapBytes(): number {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

function answerAsThread(): void {
  const asked = new BroadcastChannel('bench-memory-asked');
  const answers = new BroadcastChannel('bench-memory-answers');
  asked.onmessage = () => answers.postMessage({ threadId, heapBytes: usedHeapBytes() });
  asked.unref();
  answers.unref();
}

function answerAsProcess(file: string): void {
  const asked = new BroadcastChannel('bench-memory-asked');
  const answers = new BroadcastChannel('bench-memory-answers');
  const heaps = new Map<number, number>();
  answers.onmessage = (event: { data: { threadId: number; heapBytes: number } }) =>
    void heaps.set(event.data.threadId, event.data.heapBytes);
  asked.unref();
  answers.unref();
  process.on('SIGCONT', () => {
    heaps.clear();
    asked.postMessage(null);
    setTimeout(() => {
      const report: MemoryReport = {
        mainHeapBytes: usedHeapBytes(),
        threadHeapBytes: [...heaps.values()].reduce((sum, bytes) => sum + bytes, 0),
        rssBytes: process.memoryUsage.rss(),
      };
      writeFileSync(file, JSON.stringify(report));
    }, ANSWERS_MS);
  });
}

if (FILE !== undefined) {
  if (isMainThread) answerAsProcess(FILE);
  else answerAsThread();
}
