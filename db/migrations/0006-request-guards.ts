import type { Knex } from 'knex';

/**
 * The columns, and their order, are those that rate-limiter-flexible writes. Unlogged, because every request writes here: nothing is
 * flushed to disk for it. A crash of the server empties the table, and every client's minute begins anew.
 */
const RATE_LIMITS = `
create unlogged table rate_limit_windows (
  -- dispatch or other, and the client's id
  key varchar(255) primary key,
  -- Requests since the window began.
  points integer not null default 0,
  -- When the window ends, in milliseconds since the epoch.
  expire bigint
);`;

const IDEMPOTENCY = `
create table idempotency_keys (
  client_id uuid not null references clients on delete cascade,
  key text not null,
  -- SHA-256 of the operation and its input.
  fingerprint bytea not null,
  -- The id of what the request makes, chosen before it is made: whoever goes on with the request uses the same one.
  subject_id text not null,
  created_at timestamptz not null,
  -- Until then whoever reserved the key is taken to be at work.
  leased_until timestamptz not null,
  -- Encrypted; null until the request has succeeded.
  answer bytea,
  primary key (client_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(RATE_LIMITS);
  await knex.raw(IDEMPOTENCY);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys');
  await knex.raw('drop table rate_limit_windows');
}
