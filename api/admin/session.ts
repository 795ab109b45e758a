/** Dependencies and results of commands. */
import type { Logger } from 'pino';
import { recordAudit, type Actor, type AuditEntry } from '../../db/organizations/audit';
import type { Db } from '../../db/kernel/connection';
import type { SecretsKeys } from '../../db/kernel/secrets-keys';
import type { RuleProfile } from '../../domain/rules/profile';
import type { Clock } from '../../runtime/clock';
import type { FileMove } from '../../runtime/storage';
import type { FileStorage } from '../../runtime/storage/file-storage';
import type { TemporalPort } from '../dependencies/temporal-client';
import type { Terminal } from './terminal';
import {
  organizationsNamed,
  findOrganization,
  type Organization,
} from '../../db/organizations/organizations';
import { isUuid } from '../../domain/uuid';

/** Connections that the entry point or a test opens and closes. */
export interface Connections {
  db: Db;
  secretsKeys: SecretsKeys;
  clock: Clock;
  /** The operator's rule profile. */
  ofOperator: RuleProfile | null;
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
  /** True if the operator passed `--yes`. */
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

/** A command that can't be run as typed. The message tells the operator why. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export class UnknownCommand extends UsageError {
  override readonly name = 'UnknownCommand';

  constructor(words: readonly string[]) {
    super(`There is no command "${words.join(' ')}"`);
  }
}

/**
 * Asks for confirmation and throws unless the answer is yes. Without a terminal a script must pass `--yes`. `consequence` is a sentence that
 * says what will happen.
 */
export async function confirm(terminal: Terminal, consequence: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!terminal.isInteractive) {
    throw new UsageError(`${consequence} Pass --yes to confirm, because there is no terminal`);
  }
  const answer = await terminal.ask(`${consequence}\nContinue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Cancelled. Nothing was changed');
}

/** Finds an organization by its id, or by its name if that is unique. */
export async function requireOrganization(db: Db, idOrName: string): Promise<Organization> {
  if (isUuid(idOrName)) {
    const organization = await findOrganization(db, idOrName);
    if (organization !== undefined) return organization;
  }
  const [organization, ...others] = await organizationsNamed(db, idOrName.trim());
  if (organization === undefined) {
    throw new UsageError(
      isUuid(idOrName)
        ? `There is no organization with the id ${idOrName}`
        : 'There is no organization with this name. See "org list"',
    );
  }
  if (others.length === 0) return organization;
  throw new UsageError(`${others.length + 1} organizations have this name. Use the id from "org list"`);
}
