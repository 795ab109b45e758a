import type { Knex } from 'knex';
import * as tables from './0001-tables';

type Migration = Pick<Knex.Migration, 'up'>;

/**
 * Migrations of tables, columns and indexes, in order; a released one never changes. The functions of `../functions/` are applied afterwards, so
 * a migration that counts rows for a new trigger must lock the table (`lock table … in share row exclusive mode`).
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

const noWayBack = (): Promise<never> =>
  Promise.reject(new Error('migrations cannot be undone; restore a backup instead'));
