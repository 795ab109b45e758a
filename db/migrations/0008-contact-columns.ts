import type { Knex } from 'knex';

/** The file's own columns in its order, which the contacts' variables do not keep as JSON. Of older campaigns in any order. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaigns add column contact_columns text[] not null default '{}';
    update campaigns c set contact_columns = coalesce(
      (select array(select jsonb_object_keys(variables)) from contacts where campaign_id = c.id order by row_number limit 1), '{}');`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table campaigns drop column contact_columns');
}
