/** Reads all data that is sealed with `SECRETS_KEY` in pages, so that it can be re-encrypted when the key changes. */
import { inMonthsOf } from '../calls/months';
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';
import { KEY_ID_BYTES } from '../kernel/secrets-keys';

export interface SealedRow<Sealed> {
  /** Sort key of the rows. */
  key: string;
  organizationId: string;
  /** Subject that the bytes are bound to, in addition to the organization. Empty if there is none. */
  subject: string;
  sealed: Sealed;
}

interface SealedPage {
  /** Key of the last row of the previous page. Empty for the first page. */
  after: string;
  /** Id of the current secrets key. */
  keyId: Buffer;
}

export interface SealedTable<Sealed> {
  /** Name shown to operators. */
  name: string;
  /** Returns the next rows that may be sealed with a key other than the current one. The page is empty at the end. */
  page: (db: Db, page: SealedPage) => Promise<SealedRow<Sealed>[]>;
  /** Replaces the sealed value in one transaction. Returns false without changes if the row has changed since it was read. */
  replace: (db: Db, row: SealedRow<Sealed>, renewed: Sealed) => Promise<boolean>;
}

const PAGE = 100;

export const signingSecretRows: SealedTable<Buffer> = {
  name: 'signing secrets',
  page: (db, page) =>
    rows(
      db,
      `select id::text as key, organization_id as "organizationId", '' as subject, secret_encrypted as sealed from signing_secrets
       where id::text > :after and substring(secret_encrypted for ${KEY_ID_BYTES}) <> :keyId::bytea order by id::text limit ${PAGE}`,
      { ...page },
    ),
  replace: (db, { key, sealed }, renewed) =>
    hasRows(
      db,
      'update signing_secrets set secret_encrypted = :renewed where id = :key and secret_encrypted = :sealed returning 1',
      { key, sealed, renewed },
    ),
};

export const storedAnswerRows: SealedTable<Buffer> = {
  name: 'stored answers',
  page: (db, page) =>
    rows(
      db,
      `select organization_id::text || key as key, organization_id as "organizationId", subject_id as subject, answer as sealed from idempotency_keys
       where organization_id::text || key > :after and substring(answer for ${KEY_ID_BYTES}) <> :keyId::bytea
       order by organization_id::text || key limit ${PAGE}`,
      { ...page },
    ),
  replace: (db, { organizationId, key, sealed }, renewed) =>
    hasRows(
      db,
      `update idempotency_keys set answer = :renewed
         where organization_id = :organizationId and key = substring(:key from length(:organizationId::text) + 1) and answer = :sealed returning 1`,
      { organizationId, key, sealed, renewed },
    ),
};

/** Prefix of a sealed secret in a text. Its bytes follow in base64url, starting with the key's id. */
export const SEALED_TEXT = 'sealed:v1:';

/** Compares the first 30 bits of the key's id. That rules out nearly all configurations that need no change. */
const ofAnotherKey = (keyId: Buffer): string =>
  `${SEALED_TEXT}(?!${keyId.toString('base64url').slice(0, 5)})`;

/** Configurations that contain sealed texts, as JSON. */
export const agentConfigRows: SealedTable<string> = {
  name: 'configurations of agents',
  page: (db, { after, keyId }) =>
    rows(
      db,
      `select f.id::text as key, a.organization_id as "organizationId", f.agent_id::text as subject, f.config::text as sealed
       from agent_configs f join agents a on a.id = f.agent_id
       where f.id > :after::bigint and f.config::text ~ :pattern order by f.id limit ${PAGE}`,
      { after: after === '' ? '0' : after, pattern: ofAnotherKey(keyId) },
    ),
  // Takes the agent's lock, as storing a version does, so that an agent never has two equal configurations.
  replace: (db, { key, subject: agentId, sealed }, renewed) =>
    db.transaction(async (trx) => {
      await rows(trx, 'select from agents where id = :agentId for no key update', { agentId });
      const twin = await rows<{ id: string }>(
        trx,
        `select id::text from agent_configs where agent_id = :agentId and hash = ${hashOf(':renewed')}`,
        { agentId, renewed },
      );
      const same = { key, sealed };
      if (twin[0] === undefined)
        return hasRows(
          trx,
          `update agent_configs set config = :renewed::jsonb, hash = ${hashOf(':renewed')}
             where id = :key and config::text = :sealed returning 1`,
          { ...same, renewed },
        );
      await rows(trx, 'update agent_versions set config_id = :twin where config_id = :key', {
        key,
        twin: twin[0].id,
      });
      return hasRows(
        trx,
        'delete from agent_configs where id = :key and config::text = :sealed returning 1',
        same,
      );
    }),
};

/** Computes the hash as store_version does. */
const hashOf = (config: string): string => `sha256(convert_to(${config}::jsonb::text, 'UTF8'))`;

/** Changes to the agent in dispatches. */
export const modificationRows: SealedTable<string> = {
  name: 'dispatches with modify_agent',
  page: (db, { after, keyId }) =>
    rows(
      db,
      `select call_id as key, organization_id as "organizationId", '' as subject, modify_agent::text as sealed from all_calls
       where call_id > :after and modify_agent::text ~ :pattern order by call_id limit ${PAGE}`,
      { after, pattern: ofAnotherKey(keyId) },
    ),
  replace: (db, { key, sealed }, renewed) =>
    hasRows(
      db,
      `update all_calls k set modify_agent = :renewed::jsonb
         where call_id = :key and ${inMonthsOf('k', 'array[:key]')} and modify_agent::text = :sealed returning 1`,
      { key, sealed, renewed },
    ),
};

const hasRows = async (...statement: Parameters<typeof rows>): Promise<boolean> =>
  (await rows(...statement)).length > 0;
