import type { CallEnd } from '../../domain/call-end';
import type { CallStatus, FinalCallStatus } from '../../domain/call-outcome';
import { recordAudit, type Actor } from '../clients/audit';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';

export type HangUp =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  /** The carrier may have it: its workflow is to be signalled, and reconciliation repeats the signal for as long as the call goes on. */
  | {
      kind: 'asked';
      callStatus: CallStatus;
      /** The carrier is being asked for it, and has not answered. */
      isDialling: boolean;
    }
  /** It was not dialled and is over now; its line was handed over. */
  | { kind: 'ended'; granted: string[]; refillCampaignId: string | null };

type Decision =
  | { kind: 'unknown' }
  | { kind: 'over'; callStatus: FinalCallStatus }
  | { kind: 'asked'; callStatus: CallStatus; isDialling: boolean; first: boolean }
  | { kind: 'ended'; granted: string[]; refill: string[] };

/** Another client's call is unknown. Asked for again it changes nothing. `end` is what a call becomes that was not dialled. */
export function hangUp(
  db: Db,
  { callId, clientId, actor }: { callId: string; clientId: string; actor: Actor },
  end: CallEnd,
  now: number,
): Promise<HangUp> {
  return db.transaction(async (trx) => {
    const { decision } = await onlyRow<{ decision: Decision }>(
      trx,
      'select hang_up(:callId, :clientId, :end, :now) as decision',
      { callId, clientId, end: JSON.stringify(end), now: timestamp(now) },
    );
    if (decision.kind === 'ended' || (decision.kind === 'asked' && decision.first)) {
      await recordAudit(trx, { clientId, actor, action: 'call.hangup', subjectId: callId, now });
    }
    if (decision.kind === 'asked') {
      const { callStatus, isDialling } = decision;
      return { kind: 'asked', callStatus, isDialling };
    }
    if (decision.kind !== 'ended') return decision;
    const { granted, refill } = decision;
    return { kind: 'ended', granted, refillCampaignId: refill[0] ?? null };
  });
}

/** Calls that a person hung up on and that go on: the signal or the carrier's request was lost. The oldest wish first. */
export async function unansweredHangUps(db: Db, before: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select call_id as id from calls
     where hang_up_asked_at < :before and hang_up_asked_at is not null and stage in ('asking', 'placed')
     order by hang_up_asked_at limit 200`,
    { before: timestamp(before) },
  );
  return found.map(({ id }) => id);
}
