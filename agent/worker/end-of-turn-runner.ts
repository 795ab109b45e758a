/**
 * Loaded by the SDK's model process, which all conversations of the worker share. The model takes 260 MiB, so it runs in a separate process
 * that starts with the first request and ends after five minutes without one.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { valueAt } from '../../domain/json';

const PROGRAM = join(__dirname, 'end-of-turn-program.js');
const ENDS_AFTER_MS = 5 * 60_000;

/** Implements the SDK's `InferenceRunner` without importing it, because the import would load the whole SDK. */
export default class EndOfTurnRunner {
  private model: ModelProcess | null = null;
  private ending: NodeJS.Timeout | undefined;

  constructor(private readonly program: string = PROGRAM) {}

  initialize(): Promise<void> {
    return Promise.resolve();
  }

  /** Rejects when the model's process ends before it answers. The next request starts a new process. */
  run(data: unknown): Promise<unknown> {
    clearTimeout(this.ending);
    this.ending = setTimeout(() => void this.close(), ENDS_AFTER_MS);
    this.ending.unref();
    if (this.model?.hasEnded !== false) this.model = new ModelProcess(this.program);
    return this.model.request(valueAt(data, 'pcm'));
  }

  close(): Promise<void> {
    clearTimeout(this.ending);
    this.model?.end();
    this.model = null;
    return Promise.resolve();
  }
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

class ModelProcess {
  hasEnded = false;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private requests = 0;

  constructor(program: string) {
    this.child = fork(program, { execArgv: [] });
    this.child.on('message', (message) => {
      const id = Number(valueAt(message, 'id'));
      this.waiting.get(id)?.resolve(valueAt(message, 'answer'));
      this.waiting.delete(id);
    });
    for (const event of ['error', 'exit'] as const) this.child.once(event, () => this.fail());
  }

  request(pcm: unknown): Promise<unknown> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, pcm }, (error) => {
        if (error !== null) this.fail();
      });
    });
  }

  /** The program exits when its channel closes. */
  end(): void {
    this.hasEnded = true;
    if (this.child.connected) this.child.disconnect();
  }

  private fail(): void {
    this.hasEnded = true;
    for (const { reject } of this.waiting.values()) reject(new Error("the model's process has ended"));
    this.waiting.clear();
  }
}
