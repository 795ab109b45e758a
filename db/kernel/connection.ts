import knexFactory, { type Knex } from 'knex';
import { types, type Client } from 'pg';
import type { PoolUse } from '../../domain/platform-state';

const INT8_OID = 20;
const NUMERIC_OID = 1700;

const ignore = (): void => undefined;

/** A knex pool or a transaction. */
export type Db = Knex;

export interface DatabaseAddress {
  url: string;
  /** The URL points to a PgBouncer in transaction mode, which keeps no session state. Default: false. */
  isPooled?: boolean;
}

/** Waits for a slot. Resolves to a function that releases it when the connection is returned, or to null if no slot became free. */
export type Admit = () => Promise<(() => void) | null>;

/** All connections of the same share stayed in use, so none became free in time. */
class ConnectionsBusy extends Error {
  override readonly name = 'ConnectionsBusy';
}

export interface ConnectionOptions extends DatabaseAddress {
  /** Maximum number of open connections. Default: 10. */
  poolSize?: number;
  /**
   * Time limit of a statement and of the wait for a free connection. Default: 2500. Behind a PgBouncer, Postgres doesn't cancel the
   * statement unless the role has a `statement_timeout`.
   */
  timeoutMs?: number;
  /** Time limit of a statement. 0 means no limit. Default: `timeoutMs`. */
  statementTimeoutMs?: number;
  /** Called before a connection is taken from the pool. Default: no limit. */
  admit?: Admit;
  /** Appears in pg_stat_activity, so that operators can see which process holds a lock. */
  applicationName: string;
}

/**
 * Opens a pool that connects lazily: the first statement fails while the database is unavailable, and no restart is needed once it is back.
 * Close the pool with `destroy()`.
 */
export function openDatabase({
  url,
  isPooled = false,
  poolSize = 10,
  timeoutMs = 2500,
  statementTimeoutMs = timeoutMs,
  admit,
  applicationName,
}: ConnectionOptions): Db {
  // All our 64-bit and numeric columns (ids, milliseconds, credits) fit into a double.
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(NUMERIC_OID, Number);
  const db = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: timeoutMs,
      // PgBouncer rejects connections with this parameter.
      ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
      // Also limits the wait for a server that is stopped and can't enforce its own limit.
      query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 250,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize, afterCreate: isPooled ? afterPooledCreate : afterCreate },
    acquireConnectionTimeout: timeoutMs,
    // knex would log plain text to standard output, and the error is thrown anyway.
    log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
  });
  if (admit !== undefined) admitEach(db.client as Connections, admit);
  return db;
}

/** Methods of a knex client that manage connections. A transaction has a separate client, which holds one connection. */
interface Connections {
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
}

function admitEach(client: Connections, admit: Admit): void {
  const acquire = client.acquireConnection.bind(client);
  const release = client.releaseConnection.bind(client);
  const held = new WeakMap<object, () => void>();
  Object.assign(client, {
    async acquireConnection() {
      const end = await admit();
      if (end === null) throw new ConnectionsBusy('too many statements are waiting for a connection');
      try {
        const connection = await acquire();
        held.set(connection, end);
        return connection;
      } catch (error) {
        end();
        throw error;
      }
    },
    async releaseConnection(connection: object) {
      const end = held.get(connection);
      held.delete(connection);
      try {
        await release(connection);
      } finally {
        end?.();
      }
    },
  } satisfies Connections);
}

type Created = (error: Error | null, connection: Client) => void;

function afterCreate(connection: Client, done: Created): void {
  replaceQuery(connection, endedWhenUnanswered(connection));
  done(null, connection);
}

function afterPooledCreate(connection: Client, done: Created): void {
  replaceQuery(connection, withoutNames);
  afterCreate(connection, done);
}

type Query = (...args: unknown[]) => unknown;

function replaceQuery(connection: Client, around: (query: Query) => Query): void {
  Object.assign(connection, { query: around(connection.query.bind(connection) as Query) });
}

/** Drops statement names, because the next transaction may run on a Postgres connection that didn't prepare the statement. */
const withoutNames =
  (query: Query): Query =>
  (statement, ...args) =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...args);

const isNamed = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' && statement !== null && 'name' in statement;

/**
 * Closes a connection whose statement timed out. On an open one, the rollback would time out too, and the request would exceed its own time
 * limit.
 */
const endedWhenUnanswered =
  (connection: Client) =>
  (query: Query): Query =>
  (...args) => {
    const answered = args.at(-1);
    if (typeof answered !== 'function') return query(...args);
    return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
      const answer = (): void => void Reflect.apply(answered, undefined, [error, ...rest]);
      // Report the error only after the connection is closed. The pool would use an open one again.
      if (isUnanswered(error)) connection.end(answer);
      else answer();
    });
  };

/** Recognizes pg's timeout error by its message, because it has no code. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** The counters of knex's pool, which its types don't declare. */
interface Pool {
  max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const isPool = (value: unknown): value is Pool =>
  typeof value === 'object' && value !== null && 'numUsed' in value && 'numPendingAcquires' in value;

/** Returns the current connections of this process. */
export function poolUse(db: Db): PoolUse {
  const client: unknown = db.client;
  const pool = typeof client === 'object' && client !== null && 'pool' in client ? client.pool : null;
  if (!isPool(pool)) return { used: 0, free: 0, waiting: 0, max: 0 };
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires(), max: pool.max };
}
