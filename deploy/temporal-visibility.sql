-- Drops the indexes of Temporal's Visibility by which nobody lists workflows. Each of its 74 indexes gets an entry whenever a workflow starts, gets
-- a search attribute or closes, and 53 are of attributes that are never set or filtered by: half of all that Temporal wrote to Postgres' log. A
-- list by such an attribute reads the table instead.
-- Run in Temporal's database `temporal_visibility` once its schema is there; run again, it does nothing. If a later migration of Temporal's names
-- an index that is gone, create it first as its schema has it (schema/postgresql/v12/visibility/schema.sql).
do $$
declare
  unread text := (
    select string_agg(quote_ident(indexname), ', ') from pg_indexes
      where tablename = 'executions_visibility' and indexname <> 'executions_visibility_pkey'
        -- Temporal gives our search attributes (workflows/contract.ts) any places of their type.
        and indexname !~ '^by_keyword_\d+$' and indexname <> all (array[
        -- Order of every list; what the Web UI, clients and reconciliation filter by.
        'default_idx', 'by_execution_time', 'by_workflow_id', 'by_workflow_type', 'by_status', 'by_parent_workflow_id', 'by_root_workflow_id',
        -- Schedules, and batches of operators.
        'by_temporal_namespace_division', 'by_temporal_scheduled_by_id', 'by_batcher_user']));
begin
  if unread is not null then execute 'drop index ' || unread; end if;
end $$;
