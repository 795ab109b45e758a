import type { Db } from '../kernel/connection';
import { onlyRow, timestamp } from '../kernel/query';

/** A call, or all of a campaign. */
export type AskedFor = { callId: string } | { campaignId: string };

/** Whether a dial is between its intent and its answer, so that a phone may begin to ring for it. Both instants are of our clock. */
export async function isCarrierBeingAsked(db: Db, of: AskedFor, now: number): Promise<boolean> {
  const column = 'callId' in of ? 'call_id' : 'campaign_id';
  const { asking } = await onlyRow<{ asking: boolean }>(
    db,
    `select exists (select 1 from calls where ${column} = :id and stage = 'asking' and asked_until > :now) as asking`,
    { id: 'callId' in of ? of.callId : of.campaignId, now: timestamp(now) },
  );
  return asking;
}
