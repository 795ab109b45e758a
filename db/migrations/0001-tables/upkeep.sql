-- What the platform keeps of itself: which deployment it is, totals of lists, how far retention came, which functions were applied.

create table deployment (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
comment on table deployment is
  'By which this deployment knows its own on servers that it shares with others.';
insert into deployment default values;

create table list_totals (
  client_id uuid not null references clients on delete cascade,
  list text not null,
  part text not null,
  slot bigint not null generated always as identity,
  total bigint not null,
  primary key (client_id, list, part, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table list_totals is
  'The total of a list is the sum of its slots. A slot may be negative: what one transaction added, another may take off elsewhere. Room is left in each page, so that a new version of a slot stays beside the old one.';
comment on column list_totals.part is 'The part of the list that a filter may ask for alone; empty where there are no parts.';

create table retention_marks (
  client_id uuid not null references clients on delete cascade,
  kind text not null check (kind in ('recordings', 'transcripts', 'contacts')),
  ended_at timestamptz not null,
  call_id text not null,
  primary key (client_id, kind)
);
comment on table retention_marks is
  'Calls of a client that ended up to here were seen to, each once, whatever the days are by then.';

create table retention_left (
  client_id uuid not null references clients on delete cascade,
  kind text not null check (kind in ('recordings', 'transcripts', 'contacts')),
  call_id text not null references calls on delete cascade,
  primary key (client_id, kind, call_id)
);
comment on table retention_left is
  'Calls past their time, behind the mark, that were not processed when they were passed by: seen to once they are.';

create table files_to_remove (
  storage_key text primary key,
  removable_from timestamptz not null
);
comment on table files_to_remove is
  'Files that may be in the storage and belong to no row: of erased people, and of uploads until their row is there. Whatever dies in between, they are found here.';
comment on column files_to_remove.removable_from is 'Removed from then on; the row goes an hour later, as the file may come late.';

create table catch_ups (
  id bigint generated always as identity primary key,
  asked_at timestamptz not null
);
comment on table catch_ups is
  'Looks of the reconciliation that a process asked for after an outage and that none has made yet: whoever holds its turn makes them.';

create table doubted_workflows (
  workflow_id text primary key,
  since timestamptz not null,
  look_at timestamptz not null,
  fault text check (fault in ('tasks fail', 'does not conclude', 'does not close'))
);
comment on table doubted_workflows is
  'Workflows that run and do not do what their row asks for, until they do or have ended: reconciliation looks at them again and again.';
comment on column doubted_workflows.since is 'When reconciliation first found it so.';
comment on column doubted_workflows.fault is 'Once it is reported; null while it may only be late.';

create table applied_functions (
  name text primary key,
  checksum text not null
);
comment on table applied_functions is 'The files of db/functions that npm run migrate has applied.';
