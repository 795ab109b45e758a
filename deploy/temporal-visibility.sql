-- Drops unused indexes of Temporal's Visibility store. Each of its 74 indexes gets an entry whenever a workflow starts, changes a search
-- attribute or closes. 53 of them cover attributes that are never set or filtered, and produced half of Temporal's write-ahead log. A query
-- that filters by such an attribute scans the table instead. Run this in Temporal's database `temporal_visibility` after its schema was
-- created. Running it again does nothing. If a later Temporal migration refers to a dropped index, create that index first
-- (schema/postgresql/v12/visibility/schema.sql).
do $$
declare
  unread text := (
    select string_agg(quote_ident(indexname), ', ') from pg_indexes
      where tablename = 'executions_visibility' and indexname <> 'executions_visibility_pkey'
        -- Temporal maps our search attributes (workflows/contract.ts) to arbitrary columns of their type.
        and indexname !~ '^by_keyword_\d+$' and indexname <> all (array[
        -- Used to sort every list and to filter in the Web UI, in API clients and in reconciliation.
        'default_idx', 'by_execution_time', 'by_workflow_id', 'by_workflow_type', 'by_status', 'by_parent_workflow_id', 'by_root_workflow_id',
        -- Used by schedules and by operators' batch jobs.
        'by_temporal_namespace_division', 'by_temporal_scheduled_by_id', 'by_batcher_user']));
begin
  if unread is not null then execute 'drop index ' || unread; end if;
end $$;
