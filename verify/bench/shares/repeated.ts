/** Repeats a request from a separate thread, so that sending it doesn't delay the main thread that measures. */
import { constants, setPriority } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { HttpCaller, type Asked } from './http-caller';

interface Work {
  baseUrl: string;
  atOnce: number;
  asked: Asked;
}

/** Number of responses by status. */
export type Statuses = ReadonlyMap<number, number>;

/** Starts sending requests. Call the returned function to stop. */
export function repeated(work: Work): () => Promise<Statuses> {
  const thread = new Worker(__filename, { workerData: work });
  const ended = new Promise<Statuses>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  return () => {
    thread.postMessage('end');
    return ended;
  };
}

async function repeat({ baseUrl, atOnce, asked }: Work): Promise<void> {
  const caller = new HttpCaller(baseUrl);
  const statuses = new Map<number, number>();
  let isOver = false;
  parentPort?.once('message', () => (isOver = true));
  const one = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await caller.ask(asked);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  caller.close();
  parentPort?.postMessage(statuses);
}

if (parentPort !== null) {
  // Lowers the priority of this thread only (on Linux). A real neighbour would send from another machine.
  setPriority(constants.priority.PRIORITY_LOW);
  void repeat(workerData as Work);
}
