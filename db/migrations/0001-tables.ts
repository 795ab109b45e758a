import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';

/** In the order of what refers to what. */
const CONCEPTS = ['clients', 'agents', 'campaigns', 'calls', 'dialling', 'webhooks', 'upkeep'];

export async function up(knex: Knex): Promise<void> {
  for (const concept of CONCEPTS) {
    const sql = await readFile(join(__dirname, '0001-tables', `${concept}.sql`), 'utf8');
    await knex.raw(sql.replaceAll('?', '\\?'));
  }
}
