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

create table dnd_registry_answers (
  phone_number text primary key,
  listed boolean not null,
  asked_at timestamptz not null
);
create index dnd_registry_answers_by_age on dnd_registry_answers (asked_at);
comment on table dnd_registry_answers is 'Belongs to no client: a registry answers for a number, whoever calls it.';
