import knexFactory, { type Knex } from 'knex';
import { types, type Client } from 'pg';

const INT8_OID = 20;
const NUMERIC_OID = 1700;

const ignore = (): void => undefined;

/** A knex pool, or a transaction of one: what every function on a table takes. */
export type Db = Knex;

/** Where statements go. */
export interface DatabaseAddress {
  url: string;
  /** A PgBouncer that lends a connection for a transaction at a time: it keeps nothing that belongs to a session. Default: false. */
  isPooled?: boolean;
}

/** Waits for the caller's turn. Resolves with what is called once the connection is back, or with null where the turn did not come. */
export type Admit = () => Promise<(() => void) | null>;

/** The turn of the caller did not come in time: others of its share hold the connections. */
export class ConnectionsBusy extends Error {
  override readonly name = 'ConnectionsBusy';
}

export interface ConnectionOptions extends DatabaseAddress {
  /** Most connections held at once. */
  poolSize?: number;
  /**
   * How long a statement may run, and how long one waits for a free connection, before it is an error. Behind a PgBouncer Postgres itself ends no
   * statement for it: that is a setting of the role there.
   */
  timeoutMs?: number;
  /** How long a statement may run, where that differs; 0 for no limit. */
  statementTimeoutMs?: number;
  /** Asked before each connection is taken from the pool. Default: all may. */
  admit?: Admit;
  /** Shown in pg_stat_activity, so that an operator sees which process holds a lock. */
  applicationName: string;
}

/**
 * Opens lazily: a database that is away is noticed by the first statement, and comes back without a restart.
 * The caller ends it with `destroy()`.
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
  // Our 64-bit and numeric columns (ids, milliseconds, credits) all fit a double.
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(NUMERIC_OID, Number);
  const db = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: timeoutMs,
      // PgBouncer rejects a connection that asks for it.
      ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
      // The server's own limit says nothing while the server itself is stopped.
      query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 250,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize, afterCreate: isPooled ? afterPooledCreate : afterCreate },
    acquireConnectionTimeout: timeoutMs,
    // Its lines go to standard output as plain text; the caller gets an error.
    log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
  });
  if (admit !== undefined) admitEach(db.client as Connections, admit);
  return db;
}

/** The part of a knex client that takes connections. A transaction has a client of its own, which holds one of these. */
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
      if (end === null) throw new ConnectionsBusy('too many statements wait for a connection');
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

/** The next transaction may run on another connection of Postgres, which does not know the name of what was prepared. */
const withoutNames =
  (query: Query): Query =>
  (statement, ...args) =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...args);

const isNamed = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' && statement !== null && 'name' in statement;

/**
 * A connection that got no answer in time is of no use: what waits behind the statement, such as a rollback, would wait as long again,
 * and a request that waits for that is promised an answer sooner.
 */
const endedWhenUnanswered =
  (connection: Client) =>
  (query: Query): Query =>
  (...args) => {
    const answered = args.at(-1);
    if (typeof answered !== 'function') return query(...args);
    return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
      const answer = (): void => void Reflect.apply(answered, undefined, [error, ...rest]);
      // Not before it has ended, or the pool would hand it out once more.
      if (isUnanswered(error)) connection.end(answer);
      else answer();
    });
  };

/** The words of pg's own time limit; its error has no code. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';
