-- Returns how many milliseconds a call must wait for its slot on the trunk, or null if it can dial now. A slot that
-- is more than 250 ms overdue is lost, because using it would exceed the rate. A slot further ahead than any queue can
-- reach is replaced, because it was assigned while a clock was fast.
-- Same rule: domain/dry-run/lines.ts.
-- Guarantee: over all workers, the slots of a trunk are at least p_every_ms apart.
-- Locks: the caller holds the call's row. Locks the trunk's row until the transaction ends.
-- Callers: start_dial, start_transfer.
create or replace function trunk_slot(p_call text, p_slot timestamptz, p_trunk text, p_every_ms numeric, p_now timestamptz) returns numeric
language plpgsql as $$
declare
  slot timestamptz := p_slot;
  furthest timestamptz := p_now + interval '1 minute' + 2 * (select count(*) from lines) * p_every_ms * interval '1 millisecond';
begin
  if slot is null or slot < p_now - interval '250 milliseconds' or slot > furthest then
    insert into trunks (trunk, next_slot_at) values (p_trunk, p_now) on conflict do nothing;
    select greatest(next_slot_at, p_now) into slot from trunks where trunk = p_trunk for no key update;
    if slot > furthest then slot := p_now; end if;
    update trunks set next_slot_at = slot + p_every_ms * interval '1 millisecond' where trunk = p_trunk;
  end if;
  if slot <= p_now then
    if p_slot is not null then update calls set dial_slot_at = null where call_id = p_call; end if;
    return null;
  end if;
  if slot is distinct from p_slot then update calls set dial_slot_at = slot where call_id = p_call; end if;
  return ceil(extract(epoch from slot - p_now) * 1000);
end $$;
