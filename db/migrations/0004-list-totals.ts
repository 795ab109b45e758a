/**
 * What keeps lists fast at a million rows: totals that are kept instead of counted, and indexes that hold all that a page of ids or a
 * filtered count asks for.
 */
import type { Knex } from 'knex';

/**
 * The total of a list is the sum of its slots. A slot may be negative: what one transaction added, another may take off elsewhere.
 * Room is left in each page, so that a new version of a slot stays beside the old one.
 */
const TOTALS = `
create table list_totals (
  client_id uuid not null references clients on delete cascade,
  list text not null,
  -- The part of the list that a filter may ask for alone; '' where there are no parts.
  part text not null,
  slot bigint not null generated always as identity,
  total bigint not null,
  primary key (client_id, list, part, slot)
) with (fillfactor = 50);`;

/**
 * Adds to a slot that no other open transaction has touched, or to a new one: it never waits, so it cannot be part of a deadlock,
 * whatever locks the caller holds and for however long. There come to be as many slots as transactions ever changed the list at once.
 */
const ADD_TO_LIST = `
create function add_to_list(p_client uuid, p_list text, p_part text, p_change bigint) returns void language plpgsql as $$
declare
  free bigint;
begin
  select slot into free from list_totals where client_id = p_client and list = p_list and part = p_part
    order by slot limit 1 for no key update skip locked;
  if found then
    update list_totals set total = total + p_change
      where client_id = p_client and list = p_list and part = p_part and slot = free;
  else
    insert into list_totals (client_id, list, part, total) values (p_client, p_list, p_part, p_change);
  end if;
end $$;`;

interface CountedList {
  table: string;
  /** The part of the list that a row of this name counts in; null where it counts in none. */
  partOf: (row: string) => string;
  /** The columns that decide on the part and may change. */
  deciding: string[];
}

const LISTS: readonly CountedList[] = [
  { table: 'calls', partOf: () => `''`, deciding: [] },
  { table: 'webhook_deliveries', partOf: () => `''`, deciding: [] },
  { table: 'campaigns', partOf: (row) => `${row}.status`, deciding: ['status'] },
  {
    table: 'agents',
    partOf: (row) =>
      `case when ${row}.archived then null when ${row}.published then 'published' else 'unpublished' end`,
    deciding: ['archived', 'published'],
  },
];

const countsOf = ({ partOf }: CountedList, source: string): string =>
  `select client_id, part, count(*) as n from (select r.client_id, ${partOf('r')} as part from ${source} r) counted
    where part is not null group by client_id, part`;

/** Once a statement, however many rows it has: a page of calls costs what one call does. */
function statementTriggers(list: CountedList): string {
  const { table } = list;
  return `
create function count_inserted_${table}() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, '${table}', part, n) from (${countsOf(list, 'inserted')}) counts;
  return null;
end $$;
create function count_deleted_${table}() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, '${table}', part, -n) from (${countsOf(list, 'deleted')}) counts;
  return null;
end $$;
create function count_truncated_${table}() returns trigger language plpgsql as $$
begin
  delete from list_totals where list = '${table}';
  return null;
end $$;
create trigger count_inserted after insert on ${table} referencing new table as inserted
  for each statement execute function count_inserted_${table}();
create trigger count_deleted after delete on ${table} referencing old table as deleted
  for each statement execute function count_deleted_${table}();
create trigger count_truncated after truncate on ${table}
  for each statement execute function count_truncated_${table}();`;
}

/**
 * Of single rows, as only these can be passed over by a condition: a campaign's row is updated several times a call, and nearly never
 * in a counted column.
 */
function moveTrigger({ table, partOf, deciding }: CountedList): string {
  const changed = deciding.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  return `
create function count_moved_${table}() returns trigger language plpgsql as $$
begin
  perform add_to_list(client_id, '${table}', part, change) from (values
    (old.client_id, ${partOf('old')}, -1), (new.client_id, ${partOf('new')}, 1)) moved (client_id, part, change)
    where part is not null;
  return null;
end $$;
create trigger count_moved after update of ${deciding.join(', ')} on ${table}
  for each row when (${changed}) execute function count_moved_${table}();`;
}

/** The triggers exist by now and their tables are locked until the migration is committed, so nothing escapes this first count. */
const firstCount = (list: CountedList): string =>
  `insert into list_totals (client_id, list, part, total)
   select client_id, '${list.table}', part, n from (${countsOf(list, list.table)}) counts;`;

/**
 * The filters of the call history. All indexes ascend and are read backwards: what is added is the newest, and an index that grows at
 * its end is kept twice as dense. `final_status` is what `call_status` ends as: an index on `call_status` itself would cost every ring
 * and answer new entries in all indexes of the table, where now the row alone is rewritten.
 */
const CALL_INDEXES = `
alter table calls add column final_status text generated always as (
  case when call_status in ('queued', 'dialing', 'ringing', 'in progress') then null else call_status end) stored;
drop index calls_history, calls_of_campaign;
create index calls_history on calls (client_id, accepted_at, call_id);
create index calls_of_final_status on calls (client_id, final_status, accepted_at, call_id) where final_status is not null;
create index calls_of_agent on calls (client_id, agent_id, accepted_at, call_id) include (final_status);
create index calls_of_campaign on calls (campaign_id, accepted_at, call_id) include (client_id, final_status)
  where campaign_id is not null;`;

/** `deployment` is the one part of a configuration that lists show; to take it out of the whole would mean to read and unpack that. */
const OTHER_LISTS = `
alter table agents add column deployment jsonb generated always as (config->'deployment') stored;
create index agents_of_client on agents (client_id, created_at, id) include (published) where not archived;
create index campaigns_of_status on campaigns (client_id, status, created_at, id);
drop index webhook_deliveries_of_client, webhook_deliveries_of_campaign;
create index webhook_deliveries_of_client on webhook_deliveries (client_id, created_at, id);
create index webhook_deliveries_of_status on webhook_deliveries (client_id, status, created_at, id);
create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id, created_at, id)
  include (client_id, status) where campaign_id is not null;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(TOTALS);
  await knex.raw(ADD_TO_LIST);
  for (const list of LISTS) {
    await knex.raw(statementTriggers(list));
    if (list.deciding.length > 0) await knex.raw(moveTrigger(list));
    await knex.raw(firstCount(list));
  }
  await knex.raw(CALL_INDEXES);
  await knex.raw(OTHER_LISTS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop index agents_of_client, campaigns_of_status, webhook_deliveries_of_client, webhook_deliveries_of_status,
      webhook_deliveries_of_campaign, calls_history, calls_of_campaign, calls_of_agent, calls_of_final_status;
    create index webhook_deliveries_of_client on webhook_deliveries (client_id, created_at desc, id desc);
    create index calls_history on calls (client_id, accepted_at desc, call_id desc);
    create index webhook_deliveries_of_campaign on webhook_deliveries (campaign_id) where campaign_id is not null;
    create index calls_of_campaign on calls (campaign_id, accepted_at desc, call_id desc) where campaign_id is not null;
    alter table calls drop column final_status;
    alter table agents drop column deployment;`);
  for (const { table, deciding } of LISTS) {
    const functions = ['inserted', 'deleted', 'truncated', ...(deciding.length > 0 ? ['moved'] : [])];
    await knex.raw(`drop function ${functions.map((what) => `count_${what}_${table}`).join(', ')} cascade`);
  }
  await knex.raw('drop function add_to_list; drop table list_totals');
}
