-- Contact lists. A campaign takes a snapshot of a list, so later changes to the list don't change its campaigns.

create table contact_lists (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  contacts integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index contact_lists_of_organization on contact_lists (organization_id, created_at desc, id desc);
comment on column contact_lists.contacts is 'Number of its contacts.';

create table list_contacts (
  id bigint generated always as identity primary key,
  list_id uuid not null,
  organization_id uuid not null,
  external_id text,
  name text not null,
  phone_number text not null,
  timezone text,
  language text,
  consent_at timestamptz,
  consent_source text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  zone_key text not null,
  folded_name text collate "C" not null
);
-- Numbers start with +, so no external id can equal one.
create unique index list_contacts_of_identity on list_contacts (list_id, (coalesce('id ' || external_id, phone_number)));
create index list_contacts_in_order on list_contacts (list_id, id);
create index list_contacts_of_number on list_contacts (organization_id, phone_number);
create index list_contacts_of_name on list_contacts (organization_id, folded_name);
comment on column list_contacts.list_id is 'Not a foreign key, because deleting a list would then delete all its contacts in one statement.';
comment on column list_contacts.external_id is 'The organization''s own id of the contact. Without one, the number identifies the contact within its list.';
comment on column list_contacts.timezone is 'IANA name. Null for the zones of the number.';
comment on column list_contacts.zone_key is 'Contacts with the same key are in the same time zones (domain/rules/number-zones.ts).';
comment on column list_contacts.folded_name is 'Name normalized for comparison by fold.';

create table list_imports (
  id uuid primary key,
  list_id uuid not null references contact_lists on delete cascade,
  organization_id uuid not null,
  added integer not null,
  updated integer not null,
  skipped integer not null,
  skipped_by_reason jsonb not null,
  skipped_rows jsonb not null,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index list_imports_of_list on list_imports (list_id, created_at);
comment on table list_imports is 'Results of additions to a list, kept for a week. They contain no data of a contact.';
comment on column list_imports.skipped_rows is 'The first hundred. The file with all of them is skipped-<id>.csv in the storage.';

create table removed_lists (
  list_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  removed_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table removed_lists is 'Deleted lists whose contacts retention still has to delete, page by page.';
