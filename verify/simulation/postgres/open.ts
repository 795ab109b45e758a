/** Opens knex, as the product uses it, on simulated connections. */
import { createRequire } from 'node:module';
import knexFactory from 'knex';
import { Client } from 'pg';
import type { Db } from '../../../db/kernel/connection';
import type { SimulatedProcess } from '../world';
import type { SimulatedConnection, SimulatedPostgres } from './simulated-postgres';

/** The part of knex's Postgres client that is replaced here. knex doesn't declare a type for it. */
type DialectConstructor = new (config: object) => {
  acquireConnection(): Promise<unknown>;
  releaseConnection(connection: unknown): Promise<void>;
};

const Dialect = createRequire(__filename)('knex/lib/dialects/postgres/index.js') as DialectConstructor;

/** The pool has no limit, because the simulation doesn't cover connection limits. */
export function openSimulated(postgres: SimulatedPostgres, process: SimulatedProcess): Db {
  const free: Client[] = [];
  class SimulatedDialect extends Dialect {
    override acquireConnection(): Promise<unknown> {
      return Promise.resolve(free.pop() ?? facadeOf(postgres.connect(process)));
    }
    override releaseConnection(connection: unknown): Promise<void> {
      free.push(connection as Client);
      return Promise.resolve();
    }
  }
  return knexFactory({ client: SimulatedDialect as never });
}

/** Must be a subclass of `pg`'s client, because the COPY of contacts requires one. */
function facadeOf(connection: SimulatedConnection): Client {
  const query = (...args: Parameters<SimulatedConnection['query']>): unknown => connection.query(...args);
  return Object.create(Client.prototype, { query: { value: query } }) as Client;
}
