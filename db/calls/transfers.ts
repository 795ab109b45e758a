/** Decides on transfers of calls. The decision, the count and the audit entry are one transaction. */
import { recordAudit } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { onlyRow, timestamp } from '../kernel/query';
import type { DialGuards } from './engine';

/**
 * Maximum number of transfer requests per call, including rejected ones. Keeps a model that repeats them from filling the trunk and the
 * audit log.
 */
const MAX_OF_A_CALL = 5;
/** Maximum wait for a slot on the trunk. It is short because the caller is waiting on the phone. */
const MAX_WAIT_MS = 3_000;

export interface TransferRequest {
  callId: string;
  /** E.164. Null for a SIP address or a rejected destination. */
  number: string | null;
  /** Why no call can be transferred to the destination. Null if it is allowed. */
  fault: 'destination' | 'not_configured' | null;
  /** Destination as written to the audit log: a masked number or a domain. */
  shown: string;
  /** Credits that the transfer adds to the day's spend. */
  credits: number;
  guards: Pick<DialGuards, 'trunk' | 'dialEveryMs' | 'breakers'>;
}

export type TransferRefusal =
  'too_many' | 'call_over' | 'destination' | 'not_configured' | 'dnd' | 'spend' | 'pace';

type TransferDecision =
  | { kind: 'unknown' }
  /** The transfer must wait `waitMs` for its slot on the trunk. */
  | { kind: 'allowed'; waitMs: number }
  | { kind: 'refused'; reason: TransferRefusal };

type Decided =
  | { kind: 'unknown' }
  | (Exclude<TransferDecision, { kind: 'unknown' }> & {
      organizationId: string;
      agentId: string;
      isCounted: boolean;
    });

export function startTransfer(db: Db, request: TransferRequest, now: number): Promise<TransferDecision> {
  const { callId, number, fault, credits, shown } = request;
  const guards = { ...request.guards, maxPerCall: MAX_OF_A_CALL, maxWaitMs: MAX_WAIT_MS };
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
        organizationId: decision.organizationId,
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
