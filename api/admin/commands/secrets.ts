import type { Command } from 'commander';
import { recordAudit } from '../../../db/organizations/audit';
import type { Terminal } from '../terminal';
import { table } from '../table';
import { UsageError } from '../session';
import { noun, runs, verb, type Admin } from '../verb';
import {
  agentConfigRows,
  modificationRows,
  signingSecretRows,
  storedAnswerRows,
  type SealedRow,
  type SealedTable,
} from '../../../db/organizations/sealed-rows';
import type { Db } from '../../../db/kernel/connection';
import { keyIdOf, type SecretsKeys, open, seal, type Lock } from '../../../db/kernel/secrets-keys';
import { signingSecretLock } from '../../../db/webhooks/signing-secrets';
import type { AgentConfig } from '../../../domain/agent-config';
import { AgentSecrets } from '../../agents/config/secrets';
import { answerLock } from '../../http/idempotency';

const PROGRESS_EVERY = 1_000;

export function secretsCommands(program: Command, admin: Admin): void {
  const secrets = noun(program, 'secrets', 'data encrypted with SECRETS_KEY');
  const summary = 're-encrypt data that was encrypted with SECRETS_KEY_PREVIOUS';
  const command = verb(secrets, 're-encrypt', summary, ['re-encrypt', 're-encrypt --count']).option(
    '--count',
    'only count the rows that still need SECRETS_KEY_PREVIOUS',
  );
  runs<{ count?: true }>(command, admin, async (session, { count }) => {
    const { db, secretsKeys, terminal, actor, clock } = session;
    const done =
      count === true
        ? await countToReEncrypt(db, secretsKeys)
        : await reEncrypt(db, secretsKeys, progressIn(terminal));
    if (total(done, 'renewed') > 0) {
      const record = {
        organizationId: null,
        action: 'secrets.re-encrypt' as const,
        subjectId: 'SECRETS_KEY',
      };
      await recordAudit(db, { ...record, actor, now: clock.now() });
    }
    if (count !== true && total(done, 'left') > 0) throw new UsageError(remainingMessage(done));
    const body = done.map(({ name, renewed, left }) => [name, renewed, left]);
    const text = table(['data', 're-encrypted', 'need the previous key'], body, {
      empty: '',
      isStyled: terminal.isStyled,
    });
    const free = total(done, 'left') === 0 ? KEY_UNUSED : '';
    return { text: text + free, json: { tables: done, left: total(done, 'left') } };
  });
}

/** After 24 hours, URLs signed with the previous key have expired (docs/production.md). */
const KEY_UNUSED =
  '\nNo row needs SECRETS_KEY_PREVIOUS. Remove it after 24 hours, when the URLs signed with it have expired.';

const total = (done: readonly ReEncrypted[], of: 'renewed' | 'unreadable' | 'left'): number =>
  done.reduce((sum, each) => sum + each[of], 0);

function remainingMessage(done: readonly ReEncrypted[]): string {
  const where = done.flatMap(({ name, left }) => (left > 0 ? [`${left} ${name}`] : []));
  const why =
    total(done, 'unreadable') > 0
      ? `${total(done, 'unreadable')} rows cannot be decrypted with either key. Set SECRETS_KEY_PREVIOUS to the key that encrypted them`
      : 'a process still encrypts with the previous key. Restart it with both keys and run this command again';
  return `Not finished (${where.join(', ')}): ${why}`;
}

function progressIn(terminal: Terminal): (name: string, renewed: number) => void {
  return (name, renewed) => {
    if (renewed % PROGRESS_EVERY === 0) terminal.note(`${renewed} ${name} re-encrypted`);
  };
}

/** Re-encrypts stored data with the current key, row by row, so that it can be interrupted and repeated. */

/** Returns null if the row needs no change. Throws if it can't be decrypted. */
type Renew<Sealed> = (row: SealedRow<Sealed>, keys: SecretsKeys) => Sealed | null;

interface Sealing {
  name: string;
  run: (db: Db, keys: SecretsKeys, onRow: (what: RowResult) => void) => Promise<void>;
  /** Counts the rows that aren't encrypted with the current key. */
  count: (db: Db, keys: SecretsKeys) => Promise<number>;
}

/** `changed`: another process changed the row after it was read. The final count includes such rows. */
type RowResult = 'renewed' | 'changed' | 'unreadable';

interface ReEncrypted {
  name: string;
  renewed: number;
  /** Number of rows that neither key can decrypt. */
  unreadable: number;
  left: number;
}

const bytesOf =
  (lockOf: (row: SealedRow<Buffer>, keys: SecretsKeys) => Lock): Renew<Buffer> =>
  (row, keys) => {
    const lock = lockOf(row, keys);
    return seal(open(row.sealed, lock), lock);
  };

const configOf: Renew<string> = ({ organizationId, sealed }, keys) => {
  const secrets = new AgentSecrets({ secretsKeys: keys, organizationId });
  const renewed = secrets.resealed(JSON.parse(sealed) as AgentConfig);
  return renewed === null ? null : JSON.stringify(renewed);
};

const SEALINGS: readonly Sealing[] = [
  sealing(
    signingSecretRows,
    bytesOf((_row, keys) => signingSecretLock(keys)),
  ),
  sealing(
    storedAnswerRows,
    bytesOf(({ subject }, keys) => answerLock(keys, subject)),
  ),
  sealing(agentConfigRows, configOf),
  sealing(modificationRows, configOf),
];

function sealing<Sealed>(table: SealedTable<Sealed>, renew: Renew<Sealed>): Sealing {
  return {
    name: table.name,
    async run(db, keys, onRow) {
      for await (const row of everyRow(db, table, keys)) {
        const renewed = renewedRow(row, keys, renew);
        if (renewed === 'unreadable') onRow(renewed);
        else if (renewed !== null)
          onRow((await table.replace(db, row, renewed.sealed)) ? 'renewed' : 'changed');
      }
    },
    async count(db, keys) {
      let count = 0;
      for await (const row of everyRow(db, table, keys))
        if (renewedRow(row, keys, renew) !== null) count += 1;
      return count;
    },
  };
}

function renewedRow<Sealed>(
  row: SealedRow<Sealed>,
  keys: SecretsKeys,
  renew: Renew<Sealed>,
): { sealed: Sealed } | 'unreadable' | null {
  try {
    const sealed = renew(row, keys);
    return sealed === null ? null : { sealed };
  } catch {
    // The row is damaged or encrypted with a third key. Count it and continue with the others.
    return 'unreadable';
  }
}

async function* everyRow<Sealed>(
  db: Db,
  table: SealedTable<Sealed>,
  keys: SecretsKeys,
): AsyncGenerator<SealedRow<Sealed>> {
  const keyId = keyIdOf(keys.current);
  let after = '';
  for (;;) {
    const page = await table.page(db, { after, keyId });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

/** Works table by table and is safe while processes with both keys run. `onProgress` is called for each re-encrypted row. */
async function reEncrypt(
  db: Db,
  keys: SecretsKeys,
  onProgress: (name: string, renewed: number) => void,
): Promise<ReEncrypted[]> {
  const done: ReEncrypted[] = [];
  for (const { name, run, count } of SEALINGS) {
    const counts: Record<RowResult, number> = { renewed: 0, changed: 0, unreadable: 0 };
    await run(db, keys, (what) => {
      counts[what] += 1;
      if (what === 'renewed') onProgress(name, counts.renewed);
    });
    const { renewed, unreadable } = counts;
    done.push({ name, renewed, unreadable, left: await count(db, keys) });
  }
  return done;
}

/** Counts the rows without changing them. */
async function countToReEncrypt(db: Db, keys: SecretsKeys): Promise<ReEncrypted[]> {
  const counted: ReEncrypted[] = [];
  for (const { name, count } of SEALINGS)
    counted.push({ name, renewed: 0, unreadable: 0, left: await count(db, keys) });
  return counted;
}
