-- Takes one of a receiver's turns until p_until, for one webhook request that is under way. A receiver is a client's scheme, host and port. Returns
-- the turn, null while all p_most are taken. Whoever records the attempt gives it back; that of a worker that died ends by itself.
-- Guarantee: over all workers, no more than p_most turns of a receiver are taken at one instant.
-- Locks: a turn, without waiting for one that is locked; for a new one it waits until the transaction that makes the same has ended. Callers lock
-- nothing after it.
-- Callers: db/webhooks/turns.ts.
create or replace function take_turn(p_client uuid, p_url text, p_now timestamptz, p_until timestamptz, p_most integer) returns integer
language plpgsql as $$
declare
  -- Without user and password.
  receiver_key text := p_client || ' ' || left(lower(regexp_replace(p_url, '^([^:/?#]+://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2')), 300);
  taken integer;
begin
  -- As often as others may make the same new turn before us.
  for look in 1..p_most loop
    update receiver_turns set taken_until = p_until
      where id = (select id from receiver_turns where receiver = receiver_key and taken_until <= p_now
                  order by slot limit 1 for no key update skip locked)
      returning id into taken;
    if found then return taken; end if;
    insert into receiver_turns (receiver, slot, taken_until)
      select receiver_key, coalesce(max(slot), 0) + 1, p_until from receiver_turns where receiver = receiver_key
      having coalesce(max(slot), 0) < p_most
      on conflict do nothing returning id into taken;
    if found then return taken; end if;
    if (select count(*) from receiver_turns where receiver = receiver_key) >= p_most then return null; end if;
  end loop;
  return null;
end $$;
