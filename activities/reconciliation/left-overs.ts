import { heldForNobody } from '../../db/reconciliation/overdue';
import type { Repair } from './repair';
import { eachOf } from './each-of';
import { LEFT_OVER_MS } from './lateness';

/** Deletes leftover rooms, whose call is over or unknown, and removes their participants. */
export async function repairLeftOvers(repair: Repair): Promise<void> {
  const { db, telephony, log, clock } = repair;
  const before = clock() - LEFT_OVER_MS;
  const held = (await telephony.held()).filter(({ heldSince }) => heldSince < before);
  if (held.length === 0) return;
  const leftOver = await heldForNobody(db, held, before);
  const references = new Map(held.map(({ carrierId, reference }) => [carrierId, reference]));
  await eachOf(repair, leftOver, async (carrierId) => {
    await repair.deleteRoom(carrierId);
    // Don't log the name, because the name of a caller's room contains their number.
    log.warn({ call_id: references.get(carrierId) ?? null }, 'a leftover room was deleted');
  });
}
