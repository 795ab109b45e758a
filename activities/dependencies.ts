import type { Db } from '../db/connection';
import type { SignalSender } from '../workflows/announce';
import type { Telephony } from './telephony/port';
import type { WebhookSender } from './webhooks/sender';

export interface ActivityLog {
  info(fields: Record<string, unknown>, sentence: string): void;
  warn(fields: Record<string, unknown>, sentence: string): void;
}

/** Starts and inspects workflows; what reconciliation needs beside signals. */
export interface WorkflowStarter {
  /** Starts the workflow unless one with this id runs or has run; `againAfterClose`: unless one runs. */
  startOnce(type: string, id: string, input: unknown, options?: { againAfterClose?: boolean }): Promise<void>;
  /** `missing` when Temporal does not know the id. */
  state(id: string): Promise<'running' | 'closed' | 'missing'>;
}

export interface ActivityDependencies {
  db: Db;
  telephony: Telephony;
  signals: SignalSender;
  workflows: WorkflowStarter;
  webhooks: WebhookSender;
  log: ActivityLog;
  /** The machine's clock. Windows are decided by the workflow's. */
  clock: () => number;
  settings: {
    ringTimeoutS: number;
    /** Credits for each started minute of talk. */
    creditsPerMinute: number;
    /** How long a dispatched call waits for a line before it expires. */
    dispatchWaitLimitMs: number;
    /** Decrypts a stored signing secret. */
    decryptSecret: (encrypted: Buffer) => string;
  };
}
