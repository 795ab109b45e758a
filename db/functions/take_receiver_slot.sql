-- Takes one of a receiver's slots until p_until, for one webhook request. A receiver is an organization's scheme, host
-- and port. Returns the slot's id, or null while all p_most are taken. The worker that records the attempt releases the
-- slot; if the worker dies, the slot expires.
-- Guarantee: over all workers, at most p_most slots of a receiver are taken at any instant.
-- Locks: a slot, skipping locked ones. To create a slot it waits for a transaction that creates the same one. Callers
-- lock nothing after it.
-- Callers: db/webhooks/receiver-slots.ts, conclude_call.
create or replace function take_receiver_slot(p_organization uuid, p_url text, p_now timestamptz, p_until timestamptz, p_most integer) returns integer
language plpgsql as $$
declare
  -- Leaves out user and password.
  receiver_key text := p_organization || ' ' || left(lower(regexp_replace(p_url, '^([^:/?#]+://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2')), 300);
  taken integer;
begin
  -- Retries if another transaction created the same slot first.
  for attempt in 1..p_most loop
    update receiver_slots set taken_until = p_until
      where id = (select id from receiver_slots where receiver = receiver_key and taken_until <= p_now
                  order by slot limit 1 for no key update skip locked)
      returning id into taken;
    if found then return taken; end if;
    insert into receiver_slots (receiver, slot, taken_until)
      select receiver_key, coalesce(max(slot), 0) + 1, p_until from receiver_slots where receiver = receiver_key
      having coalesce(max(slot), 0) < p_most
      on conflict do nothing returning id into taken;
    if found then return taken; end if;
    if (select count(*) from receiver_slots where receiver = receiver_key) >= p_most then return null; end if;
  end loop;
  return null;
end $$;
