import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';

/** Ordered by foreign keys: a file refers only to tables of the files before it. */
const CONCEPTS = [
  'organizations',
  'agents',
  'contact-lists',
  'campaigns',
  'calls',
  'dialling',
  'webhooks',
  'upkeep',
];

export async function up(knex: Knex): Promise<void> {
  for (const concept of CONCEPTS) {
    const sql = await readFile(join(__dirname, '0001-tables', `${concept}.sql`), 'utf8');
    await knex.raw(sql.replaceAll('?', '\\?'));
  }
}
