/** Whether a call may be transferred: decided, counted and put on record in one transaction. */
import { recordAudit } from '../clients/audit';
import type { Db } from '../kernel/connection';
import { onlyRow, timestamp } from '../kernel/query';
import type { DialGuards } from './engine';

/** Of one call, also of those that are refused: a model that asks again and again fills neither trunk nor audit. */
const MOST_OF_A_CALL = 5;
/** How far ahead its turn on the trunk may be: the agent waits for our answer, and the caller for the agent. */
const MOST_WAIT_MS = 3_000;

export interface TransferRequest {
  callId: string;
  /** E.164; null for a SIP address, and where there is a fault. */
  number: string | null;
  /** Why the destination is refused, whatever the call; null for one that may be. */
  fault: 'destination' | 'not_configured' | null;
  /** The destination for the audit: a masked number or a domain. */
  shown: string;
  /** What the transfer counts against the brakes of spend. */
  credits: number;
  guards: Pick<DialGuards, 'trunk' | 'dialEveryMs' | 'brakes'>;
}

export type TransferRefusal =
  'too_many' | 'call_over' | 'destination' | 'not_configured' | 'dnd' | 'spend' | 'pace';

export type TransferDecision =
  | { kind: 'unknown' }
  /** Its turn on the trunk comes in `waitMs`. */
  | { kind: 'allowed'; waitMs: number }
  | { kind: 'refused'; reason: TransferRefusal };

type Decided =
  | { kind: 'unknown' }
  | (Exclude<TransferDecision, { kind: 'unknown' }> & {
      clientId: string;
      agentId: string;
      isCounted: boolean;
    });

export function startTransfer(db: Db, request: TransferRequest, now: number): Promise<TransferDecision> {
  const { callId, number, fault, credits, shown } = request;
  const guards = { ...request.guards, mostOfACall: MOST_OF_A_CALL, mostWaitMs: MOST_WAIT_MS };
  return db.transaction(async (trx) => {
    const { decision } = await onlyRow<{ decision: Decided }>(
      trx,
      'select start_transfer(:callId, :transfer, :now, :guards) as decision',
      {
        callId,
        transfer: JSON.stringify({ number, fault, credits }),
        now: timestamp(now),
        guards: JSON.stringify(guards),
      },
    );
    if (decision.kind !== 'unknown' && decision.isCounted) {
      await recordAudit(trx, {
        clientId: decision.clientId,
        actor: { kind: 'agent', id: decision.agentId, requestId: null },
        action: decision.kind === 'allowed' ? 'call.transfer' : 'call.transfer_refused',
        subjectId: callId,
        fields: decision.kind === 'allowed' ? [shown] : [shown, decision.reason],
        now,
      });
    }
    return decision;
  });
}
