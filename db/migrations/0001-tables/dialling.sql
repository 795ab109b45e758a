-- What may keep a call that holds a line from being dialled: the pace of its trunk, a brake, a do-not-disturb list.

create table trunks (
  trunk text primary key,
  next_slot_at timestamptz not null
);
comment on table trunks is
  'When the next call may be placed over a trunk. One row for all workers, so that they keep the pace together.';

create table spend (
  owner_id uuid not null,
  day date not null,
  credits numeric(14, 4) not null,
  primary key (owner_id, day)
);
comment on table spend is 'Credits of the talk that ended on a UTC day; the owner is a campaign or a client.';

create table dnd_numbers (
  client_id uuid not null references clients,
  phone_number text not null,
  source text not null,
  added_at timestamptz not null,
  asked_in_call text,
  primary key (client_id, phone_number)
);
create index dnd_numbers_by_age on dnd_numbers (client_id, added_at, phone_number);
comment on table dnd_numbers is 'Numbers in E.164 that a client must not call.';
comment on column dnd_numbers.asked_in_call is
  'The call in which the person said so: no campaign and no callback dials them, also where these ask for no check.';
comment on column dnd_numbers.source is 'Where the number came from, in an operator''s words.';

create table callback_caps (
  client_id uuid not null references clients on delete cascade,
  number_hash bytea not null,
  day date not null,
  scheduled integer not null,
  last_call_id text not null,
  primary key (client_id, number_hash)
);
create index callback_caps_by_day on callback_caps (day);
comment on table callback_caps is
  'Bounds the callbacks of one number (schedule_callback). It holds no number, so a row stays when its person is erased. Retention deletes it seven days after the last callback.';
comment on column callback_caps.number_hash is 'HMAC-SHA-256 of the organization and the number, with a key of SECRETS_KEY.';
comment on column callback_caps.day is 'The UTC day of the last callback that was scheduled.';
comment on column callback_caps.scheduled is 'Callbacks that were scheduled on that day.';
comment on column callback_caps.last_call_id is 'The call that asked for the last one.';

create table dnd_registry_answers (
  phone_number text primary key,
  listed boolean not null,
  asked_at timestamptz not null
);
create index dnd_registry_answers_by_age on dnd_registry_answers (asked_at);
comment on table dnd_registry_answers is 'Belongs to no client: a registry answers for a number, whoever calls it.';
