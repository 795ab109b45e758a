import { createHmac } from 'node:crypto';
import type { ReceiverLine } from '../../../verify/faults/checker/evidence';
import type { DeliveryRow } from '../../../verify/faults/checker/rows';

/** A Monday. */
const START = Date.parse('2026-11-02T05:00:00.000Z');
export const SECRET = 'whsec_c2VjcmV0';

export const at = (seconds: number): string => new Date(START + Math.round(seconds * 1000)).toISOString();

/** Returns the receiver's log line for a correctly signed delivery. */
export function receivedLine(
  { body, event, event_id, call_id, campaign_id }: DeliveryRow,
  { atS, attempt, status }: { atS: number; attempt: number; status: number },
): ReceiverLine {
  const timestamp = String(Math.floor(Date.parse(at(atS)) / 1000));
  const hmac = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  return {
    at: at(atS),
    event,
    event_id,
    attempt,
    call_id,
    campaign_id,
    valid: true,
    fault: null,
    status,
    timestamp,
    signature: `sha256=${hmac}`,
  };
}
