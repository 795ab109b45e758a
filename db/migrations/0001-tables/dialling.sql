-- Limits that can keep a call with a line from being dialled: the pace of its trunk, spend, do-not-disturb lists.

create table trunks (
  trunk text primary key,
  next_slot_at timestamptz not null
);
comment on table trunks is
  'When the next call may be placed over a trunk. All workers share the row, so that they keep the pace together.';

create table spend (
  owner_id uuid not null,
  day date not null,
  credits numeric(14, 4) not null,
  primary key (owner_id, day)
);
comment on table spend is 'Credits of the calls that ended on a UTC day. The owner is a campaign or an organization.';

create table dnd_numbers (
  organization_id uuid not null references organizations,
  phone_number text not null,
  source text not null,
  added_at timestamptz not null,
  opted_out_in_call text,
  primary key (organization_id, phone_number)
);
create index dnd_numbers_by_age on dnd_numbers (organization_id, added_at, phone_number);
comment on table dnd_numbers is 'Do-not-disturb list of an organization, in E.164.';
comment on column dnd_numbers.opted_out_in_call is
  'Call in which the person opted out. No campaign or callback dials the number, even if it skips the check.';
comment on column dnd_numbers.source is 'Source of the number, as free text of an operator.';

create table callback_caps (
  organization_id uuid not null references organizations on delete cascade,
  number_hash bytea not null,
  day date not null,
  scheduled integer not null,
  last_call_id text not null,
  primary key (organization_id, number_hash)
);
create index callback_caps_by_day on callback_caps (day);
comment on table callback_caps is
  'Limits the callbacks per number (schedule_callback). A row has no number in clear, so it stays when its person is erased. Retention deletes it seven days after the last callback.';
comment on column callback_caps.number_hash is 'HMAC-SHA-256 of the organization and the number, with a key of SECRETS_KEY.';
comment on column callback_caps.day is 'UTC day on which the last callback was scheduled.';
comment on column callback_caps.scheduled is 'Number of callbacks scheduled on that day.';
comment on column callback_caps.last_call_id is 'Call that asked for the last callback.';

create table erased_attempts (
  organization_id uuid not null references organizations on delete cascade,
  number_hash bytea not null,
  attempted_at timestamptz not null
);
create index erased_attempts_of_number on erased_attempts (organization_id, number_hash);
create index erased_attempts_by_age on erased_attempts (attempted_at);
comment on table erased_attempts is
  'Attempts to call numbers that were erased since, so that the caps of rule profiles still count them. Retention deletes them after seven days.';
comment on column erased_attempts.number_hash is 'As in callback_caps.';

create table dnd_registry_answers (
  phone_number text primary key,
  listed boolean not null,
  requested_at timestamptz not null
);
create index dnd_registry_answers_by_age on dnd_registry_answers (requested_at);
comment on table dnd_registry_answers is 'Answers of the do-not-disturb registry. They apply to all organizations.';
