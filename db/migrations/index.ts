import type { Knex } from 'knex';
import * as tables from './0001-tables';

type Migration = Pick<Knex.Migration, 'up'>;

/**
 * Tables, columns and indexes, in order, and never changed once released: a change is a new migration. Functions and their triggers are not
 * here: they are the files of `../functions/`, which are applied after these. A migration that counts or converts rows which a new trigger
 * is to watch locks their table until then (`lock table … in share row exclusive mode`).
 */
const MIGRATIONS: Record<string, Migration> = { '0001-tables': tables };

export const migrationSource = sourceOf(MIGRATIONS);

export function sourceOf(migrations: Record<string, Migration>): Knex.MigrationSource<string> {
  return {
    getMigrations: () => Promise.resolve(Object.keys(migrations)),
    getMigrationName: (name) => name,
    getMigration: (name) => {
      const migration = migrations[name];
      return migration === undefined
        ? Promise.reject(new Error(`no migration is called ${name}`))
        : Promise.resolve({ up: migration.up, down: noWayBack });
    },
  };
}

/** knex wants one of each migration. */
const noWayBack = (): Promise<never> =>
  Promise.reject(new Error('migrations are not taken back: restore a backup'));
