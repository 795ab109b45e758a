-- Data about the platform itself: the id of the deployment, totals of lists, progress of retention, applied functions.

create table deployment (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
comment on table deployment is
  'Id by which this deployment recognizes its own resources on servers that it shares with other deployments.';
insert into deployment default values;

create table list_totals (
  organization_id uuid not null references organizations on delete cascade,
  list text not null,
  part text not null,
  slot bigint not null generated always as identity,
  total bigint not null,
  primary key (organization_id, list, part, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table list_totals is
  'The total of a list is the sum of its slots. A slot can be negative, because a transaction may subtract from another slot than the one that was added to. The fill factor leaves room for new versions of a row on the same page.';
comment on column list_totals.part is 'Part of the list that a filter can select; empty if the list has no parts.';

create table retention_marks (
  organization_id uuid not null references organizations on delete cascade,
  kind text not null check (kind in ('recordings', 'transcripts', 'contacts')),
  ended_at timestamptz not null,
  call_id text not null,
  primary key (organization_id, kind)
);
comment on table retention_marks is
  'Retention has processed the calls of an organization that ended up to this point. It processes each call once, even if the number of days changes later.';

create table retention_left (
  organization_id uuid not null references organizations on delete cascade,
  kind text not null check (kind in ('recordings', 'transcripts', 'contacts')),
  call_id text not null references calls on delete cascade,
  primary key (organization_id, kind, call_id)
);
comment on table retention_left is
  'Calls that retention passed before they were concluded. It processes them once they are.';

create table files_to_remove (
  storage_key text primary key,
  removable_from timestamptz not null
);
comment on table files_to_remove is
  'Files in the storage that may have no row: files of erased people, and uploads until their row is written. Retention finds them here after any crash.';
comment on column files_to_remove.removable_from is 'The file can be removed from this time on. The row stays for another hour, because an upload may finish late.';

create table catch_ups (
  id bigint generated always as identity primary key,
  requested_at timestamptz not null
);
comment on table catch_ups is
  'Extra runs of the reconciliation that processes requested after an outage and that have not happened yet. The process that holds the reconciliation lock makes them.';

create table suspect_workflows (
  workflow_id text primary key,
  since timestamptz not null,
  check_at timestamptz not null,
  fault text check (fault in ('tasks fail', 'does not conclude', 'does not close'))
);
comment on table suspect_workflows is
  'Suspect workflows: they are open but do not do what their row requires. Reconciliation checks them until they do or have ended.';
comment on column suspect_workflows.since is 'When reconciliation first suspected the workflow.';
comment on column suspect_workflows.fault is 'Fault that was reported; null while the workflow may only be slow.';

create table applied_functions (
  name text primary key,
  checksum text not null
);
comment on table applied_functions is 'Files of db/functions that npm run migrate has applied.';
