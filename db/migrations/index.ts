import type { Knex } from 'knex';
import * as tables from './0001-tables';
import * as lines from './0002-lines';

/** In order, and never changed once released: a change is a new migration. */
const migrations: Record<string, Knex.Migration> = {
  '0001-tables': tables,
  '0002-lines': lines,
};

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    return migration === undefined
      ? Promise.reject(new Error(`no migration is called ${name}`))
      : Promise.resolve(migration);
  },
};
