import type { CallEnd } from '../../domain/call-end';
import type { CallStatus, FinalCallStatus } from '../../domain/call-outcome';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

export type HangUp =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  /** The carrier may have the call. Signal the workflow. Reconciliation repeats the signal until the call ends. */
  | {
      kind: 'requested';
      callStatus: CallStatus;
      /** The carrier was asked to dial and hasn't responded. */
      isDialling: boolean;
    }
  /** The call was never dialled and is over now. The calls in `granted` got a line. */
  | { kind: 'ended'; granted: string[]; refillCampaignId: string | null };

type Decision =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  | { kind: 'requested'; callStatus: CallStatus; isDialling: boolean; first: boolean }
  | { kind: 'ended'; granted: string[]; refill: string[] };

/** Hangs up a call. A repeated request changes nothing. `end` is used if the call was not dialled. */
export function hangUp(
  db: Db,
  { callId, organizationId, actor }: { callId: string; organizationId: string; actor: Actor },
  end: CallEnd,
  now: number,
): Promise<HangUp> {
  return db.transaction(async (trx) => {
    const { decision } = await onlyRow<{ decision: Decision }>(
      trx,
      'select hang_up(:callId, :organizationId, :end, :now) as decision',
      { callId, organizationId, end: JSON.stringify(end), now: timestamp(now) },
    );
    if (decision.kind === 'ended' || (decision.kind === 'requested' && decision.first)) {
      await recordAudit(trx, { organizationId, actor, action: 'call.hangup', subjectId: callId, now });
    }
    if (decision.kind === 'requested') {
      const { callStatus, isDialling } = decision;
      return { kind: 'requested', callStatus, isDialling };
    }
    if (decision.kind !== 'ended') return decision;
    const { granted, refill } = decision;
    return { kind: 'ended', granted, refillCampaignId: refill[0] ?? null };
  });
}

/** Returns live calls that a person wanted to hang up, oldest request first. The signal or the request to the carrier was lost. */
export async function unansweredHangUps(db: Db, before: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select call_id as id from calls
     where hang_up_requested_at < :before and hang_up_requested_at is not null and stage in ('requested', 'placed')
     order by hang_up_requested_at limit 200`,
    { before: timestamp(before) },
  );
  return found.map(({ id }) => id);
}
