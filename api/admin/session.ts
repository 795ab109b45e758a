/** Dependencies and results of commands. */
import type { Logger } from 'pino';
import { recordAudit, type Actor, type AuditEntry } from '../../db/organizations/audit';
import type { Db } from '../../db/kernel/connection';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import type { Clock } from '../../runtime/clock';
import type { FileMove } from '../../runtime/storage';
import type { FileStorage } from '../../runtime/storage/file-storage';
import type { TemporalPort } from '../dependencies/temporal-client';
import type { Terminal } from './terminal';

/** Connections that the entry point or a test opens and closes. */
export interface Connections {
  db: Db;
  secretsKeys: SecretsKeys;
  clock: Clock;
  log: Logger;
  /** Storage of contact files and recordings. */
  storage: FileStorage;
  /** Null if no bucket is configured to move files to. */
  fileMove: FileMove | null;
  /** Connects on first use, so that other commands don't need Temporal. */
  temporal: () => TemporalPort;
}

export interface Session extends Connections {
  terminal: Terminal;
  /** The operator, as recorded in the audit log. */
  actor: Actor;
  /** True if `--yes` was given. */
  isConfirmed: boolean;
}

/** Output of a command: text for people, or one line of JSON. */
export interface Outcome {
  text: string;
  json: unknown;
}

type Record = Omit<AuditEntry, 'actor' | 'now'>;

/** Runs a change and writes its audit record in the same transaction. `work` returns a null record if nothing changed. */
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
