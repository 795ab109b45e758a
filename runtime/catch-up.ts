/** Requests an extra run of reconciliation after an outage, so that lines aren't idle until the next one. Never used by workflow code. */
import { WorkflowNotFoundError } from '@temporalio/common';
import type { SignalLog, SignalSender } from './signal-workflows';
import {
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT_MS,
  WORKFLOW_TYPES,
  workflowId,
  type ReconcileInput,
} from '../workflows/contract';

/** Subset of a Temporal client. */
export interface CatchUpClient extends SignalSender {
  start(
    type: string,
    options: { workflowId: string; taskQueue: string; args: unknown[]; workflowTaskTimeout: number },
  ): Promise<unknown>;
}

/** Retry interval. It also batches losses that happen together. */
const RETRY_EVERY_MS = 500;
/** Longest backoff between runs, the same as reconciliation's interval. A run that loses messages itself requests the next one. */
const QUIET_MS = 10_000;

export class CatchUp {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** Runs in a row without a quiet period, and the time of the last. */
  private inARow = 0;
  private lastAt = -Infinity;

  constructor(
    private readonly client: CatchUpClient,
    private readonly log: SignalLog,
  ) {}

  /** Call it when a process starts, a server comes back, or a message was lost. Merges requests, and retries until Temporal accepts. */
  request(): void {
    if (this.stopped || this.timer !== null) return;
    if (performance.now() - this.lastAt > QUIET_MS) this.inARow = 0;
    const delayMs = Math.min(RETRY_EVERY_MS * 2 ** Math.max(0, this.inARow - 1), QUIET_MS);
    this.timer = setTimeout(() => void this.start(), delayMs);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Sends signals, and requests a run if one is lost. */
  readonly signals: SignalSender = {
    getHandle: (id) => ({
      signal: async (name, ...args) => {
        try {
          await this.client.getHandle(id).signal(name, ...args);
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) this.request();
          throw error;
        }
      },
    }),
  };

  private async start(): Promise<void> {
    this.timer = null;
    const input: ReconcileInput = { afterOutage: true };
    try {
      await this.client.start(WORKFLOW_TYPES.reconcile, {
        workflowId: workflowId.catchUp(`${Date.now()}-${Math.random().toString(36).slice(2)}`),
        taskQueue: TASK_QUEUE,
        args: [input],
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      });
      this.inARow++;
      this.lastAt = performance.now();
    } catch (error) {
      this.log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'Temporal does not respond');
      this.request();
    }
  }
}
