/** Brings forward what reconciliation would find in time: after an outage lines stand idle until it has looked. Never used by workflow code. */
import { WorkflowNotFoundError } from '@temporalio/common';
import type { SignalLog, SignalSender } from './signal-workflows';
import {
  TASK_QUEUE,
  WORKFLOW_TASK_TIMEOUT_MS,
  WORKFLOW_TYPES,
  workflowId,
  type ReconcileInput,
} from '../workflows/contract';

/** The part of a Temporal client that this needs. */
export interface CatchUpClient extends SignalSender {
  start(
    type: string,
    options: { workflowId: string; taskQueue: string; args: unknown[]; workflowTaskTimeout: number },
  ): Promise<unknown>;
}

/** Also how long messages that were lost together are waited for. */
const RETRY_EVERY_MS = 500;
/** A look that loses messages itself asks for the next one: they come ever later then, at last as seldom as reconciliation. */
const QUIET_MS = 10_000;

export class CatchUp {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** Looks that followed each other without a quiet time, and the instant of the last. */
  private inARow = 0;
  private lastAt = -Infinity;

  constructor(
    private readonly client: CatchUpClient,
    private readonly log: SignalLog,
  ) {}

  /** A process was not there, a server came back, or a message was lost. Retries until Temporal takes it; many requests are one. */
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

  /** Signals whose loss is made up for. */
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
      this.log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'Temporal does not answer');
      this.request();
    }
  }
}
