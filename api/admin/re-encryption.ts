/** Re-encrypts stored data with the current key, row by row, so that it can be interrupted and repeated. */
import {
  agentConfigRows,
  modificationRows,
  signingSecretRows,
  storedAnswerRows,
  type SealedRow,
  type SealedTable,
} from '../../db/organizations/sealed-rows';
import type { Db } from '../../db/kernel/connection';
import { keyIdOf, type SecretsKeys, open, seal, type Lock } from '../../db/kernel/secrets-keys';
import { signingSecretLock } from '../../db/webhooks/signing-secrets';
import type { AgentConfig } from '../../domain/agent-config';
import { AgentSecrets } from '../agents/config/secrets/agent-secrets';
import { answerLock } from '../http/idempotency/sealed-answer';

/** Returns null if the row needs no change. Throws if it can't be decrypted. */
type Renew<Sealed> = (row: SealedRow<Sealed>, keys: SecretsKeys) => Sealed | null;

interface Sealing {
  name: string;
  run: (db: Db, keys: SecretsKeys, onRow: (what: RowResult) => void) => Promise<void>;
  /** Counts the rows that aren't encrypted with the current key. */
  count: (db: Db, keys: SecretsKeys) => Promise<number>;
}

/** `changed`: another process changed the row in the meantime. The final count includes such rows. */
type RowResult = 'renewed' | 'changed' | 'unreadable';

export interface ReEncrypted {
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
        const renewed = renewedOr(row, keys, renew);
        if (renewed === 'unreadable') onRow(renewed);
        else if (renewed !== null)
          onRow((await table.replace(db, row, renewed.sealed)) ? 'renewed' : 'changed');
      }
    },
    async count(db, keys) {
      let count = 0;
      for await (const row of everyRow(db, table, keys)) if (renewedOr(row, keys, renew) !== null) count += 1;
      return count;
    },
  };
}

function renewedOr<Sealed>(
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
export async function reEncrypt(
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
export async function countToReEncrypt(db: Db, keys: SecretsKeys): Promise<ReEncrypted[]> {
  const counted: ReEncrypted[] = [];
  for (const { name, count } of SEALINGS)
    counted.push({ name, renewed: 0, unreadable: 0, left: await count(db, keys) });
  return counted;
}
