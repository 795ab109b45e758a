/** What a command works with once it is understood. */
import type { Logger } from 'pino';
import { recordAudit, type Actor, type AuditEntry } from '../../db/clients/audit';
import type { Db } from '../../db/kernel/connection';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import type { Clock } from '../../runtime/clock';
import type { FileMove } from '../../runtime/storage/file-move';
import type { FileStorage } from '../dependencies/stored-files';
import type { TemporalPort } from '../dependencies/temporal-port';
import type { Terminal } from './terminal';

/** Opened by the process entry, or a test, and closed by it. */
export interface Connections {
  db: Db;
  /** Secrets are encrypted with them. */
  secretsKeys: SecretsKeys;
  clock: Clock;
  log: Logger;
  /** Contact files and recordings. */
  storage: FileStorage;
  /** Null where no bucket is configured to move files into. */
  fileMove: FileMove | null;
  /** Reached by the first command that asks for it, so that no other needs a Temporal. */
  temporal: () => TemporalPort;
}

export interface Session extends Connections {
  terminal: Terminal;
  /** The operator, as the audit names them. */
  actor: Actor;
  /** Whether what cannot be taken back was confirmed on the command line. */
  isConfirmed: boolean;
}

/** What a command prints: text for people, or one line of JSON. */
export interface Outcome {
  text: string;
  json: unknown;
}

type Record = Omit<AuditEntry, 'actor' | 'now'>;

/** A change and its records in one transaction. What changed nothing has no record. */
export function audited<Answer>(
  { db, actor, clock }: Session,
  work: (trx: Db, now: number) => Promise<{ answer: Answer; record: Record | Record[] | null }>,
): Promise<Answer> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    const { answer, record } = await work(trx, now);
    for (const each of [record ?? []].flat()) await recordAudit(trx, { ...each, actor, now });
    return answer;
  });
}
