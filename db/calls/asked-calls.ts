import type { Db } from '../kernel/connection';
import { onlyRow, timestamp } from '../kernel/query';

export type AskedFor = { callId: string } | { campaignId: string };

/** Returns whether a dial is between its intent and the carrier's answer, so that a phone can still ring for it. Uses our clock. */
export async function isCarrierBeingAsked(db: Db, of: AskedFor, now: number): Promise<boolean> {
  const column = 'callId' in of ? 'call_id' : 'campaign_id';
  const { asking } = await onlyRow<{ asking: boolean }>(
    db,
    `select exists (select 1 from calls where ${column} = :id and stage = 'asking' and asked_until > :now) as asking`,
    { id: 'callId' in of ? of.callId : of.campaignId, now: timestamp(now) },
  );
  return asking;
}
