/**
 * Requests an extra run of reconciliation after an outage, so that lines aren't idle until the next scheduled run. Never used by workflow
 * code.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import type { SignalLog, SignalSender } from './signal-workflows';
import {
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT_MS,
  WORKFLOW_TYPES,
  workflowId,
  type ReconcileInput,
} from '../workflows/contract';

/** The methods of a Temporal client that this file uses. */
export interface CatchUpClient extends SignalSender {
  start(
    type: string,
    options: { workflowId: string; taskQueue: string; args: unknown[]; workflowTaskTimeout: number },
  ): Promise<unknown>;
}

/** Retry interval. It also merges losses that happen at the same time. */
const RETRY_EVERY_MS = 500;
/** Longest backoff between runs. It equals reconciliation's own interval. If a run itself loses messages, it requests the next run. */
const QUIET_MS = 10_000;

export class CatchUp {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** Number of consecutive runs without a quiet period, and the time of the last one. */
  private inARow = 0;
  private lastAt = -Infinity;

  constructor(
    private readonly client: CatchUpClient,
    private readonly log: SignalLog,
  ) {}

  /**
   * Call this when a process starts, a server comes back, or a message was lost. Merges requests, and retries until Temporal accepts one.
   */
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

  /** Sends signals, and requests a run if a signal is lost. */
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
