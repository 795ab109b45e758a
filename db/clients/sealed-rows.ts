/** Every place where something is stored that is sealed with a key of `SECRETS_KEY`, as a change of that key needs it: in pages, row by row. */
import { inMonthsOf } from '../calls/months';
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';
import { KEY_ID_BYTES } from '../kernel/secrets-keys';

export interface SealedRow<Sealed> {
  /** Rows are read in its order. */
  key: string;
  clientId: string;
  /** What the sealed is bound to, beside the client; empty for nothing. */
  subject: string;
  sealed: Sealed;
}

export interface SealedPage {
  /** The key of the last row of the page before; empty for the first. */
  after: string;
  /** Of the current key. */
  keyId: Buffer;
}

export interface SealedTable<Sealed> {
  /** For people. */
  name: string;
  /** The next rows that may hold what another key than the current one sealed; none where there are no more. */
  page: (db: Db, page: SealedPage) => Promise<SealedRow<Sealed>[]>;
  /** One statement or transaction. False, and nothing changed, where the row is not any more what was read. */
  replace: (db: Db, row: SealedRow<Sealed>, renewed: Sealed) => Promise<boolean>;
}

const PAGE = 100;

export const signingSecretRows: SealedTable<Buffer> = {
  name: 'signing secrets',
  page: (db, page) =>
    rows(
      db,
      `select id::text as key, client_id as "clientId", '' as subject, secret_encrypted as sealed from signing_secrets
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
      `select client_id::text || key as key, client_id as "clientId", subject_id as subject, answer as sealed from idempotency_keys
       where client_id::text || key > :after and substring(answer for ${KEY_ID_BYTES}) <> :keyId::bytea
       order by client_id::text || key limit ${PAGE}`,
      { ...page },
    ),
  replace: (db, { clientId, key, sealed }, renewed) =>
    hasRows(
      db,
      `update idempotency_keys set answer = :renewed
         where client_id = :clientId and key = substring(:key from length(:clientId::text) + 1) and answer = :sealed returning 1`,
      { clientId, key, sealed, renewed },
    ),
};

/** In texts a sealed secret begins so, then its bytes in base64url, the key's id first. */
export const SEALED_TEXT = 'sealed:v1:';

/** Five characters of base64url are the first thirty bits: few configurations are read that need not be. */
const ofAnotherKey = (keyId: Buffer): string =>
  `${SEALED_TEXT}(?!${keyId.toString('base64url').slice(0, 5)})`;

/** Sealed texts of the configuration, as it is written in JSON. */
export const agentConfigRows: SealedTable<string> = {
  name: 'configurations of agents',
  page: (db, { after, keyId }) =>
    rows(
      db,
      `select f.id::text as key, a.client_id as "clientId", f.agent_id::text as subject, f.config::text as sealed
       from agent_configs f join agents a on a.id = f.agent_id
       where f.id > :after::bigint and f.config::text ~ :pattern order by f.id limit ${PAGE}`,
      { after: after === '' ? '0' : after, pattern: ofAnotherKey(keyId) },
    ),
  // Under the agent's lock, as whoever stores a version has it: two configurations of an agent never become alike.
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

/** As store_version computes it. */
const hashOf = (config: string): string => `sha256(convert_to(${config}::jsonb::text, 'UTF8'))`;

/** What a dispatch changed of its agent. */
export const modificationRows: SealedTable<string> = {
  name: 'dispatches with modify_agent',
  page: (db, { after, keyId }) =>
    rows(
      db,
      `select call_id as key, client_id as "clientId", '' as subject, modify_agent::text as sealed from all_calls
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

/** Whether the statement returned any. */
const hasRows = async (...statement: Parameters<typeof rows>): Promise<boolean> =>
  (await rows(...statement)).length > 0;
