/**
 * Each delivered event was signed with the organization's secret. Both the receiver and this check, which verifies the body in the ledger,
 * must find the signature valid.
 */
import { createHmac } from 'node:crypto';
import type { ReceiverLine } from '../evidence';
import { msOf } from '../instant';
import type { Line } from '../json-lines';
import type { Run } from '../run';

/** Receivers reject timestamps that differ more than this from their own clock. */
const TOLERANCE_MS = 300_000;

export function signatureFaults(run: Run): string[] {
  return run.evidence.receiver.flatMap((line) => {
    const fault = line.valid ? signatureFault(run, line) : (line.fault ?? 'the receiver rejected it');
    return fault === null
      ? []
      : `event ${line.event_id} (receiver.jsonl:${line.line}) has an invalid signature: ${fault}`;
  });
}

function signatureFault({ rows, evidence }: Run, line: Line<ReceiverLine>): string | null {
  const { timestamp, signature } = line;
  if (timestamp === undefined || signature === undefined) return null;
  if (timestamp === null || signature === null) return 'a header is missing';
  const delivery = rows.deliveries.find(({ event_id }) => event_id === line.event_id);
  const organization = evidence.organizations.find(({ id }) => id === delivery?.organization_id);
  // Another check reports events that are missing from the ledger.
  if (delivery === undefined || organization === undefined) return null;
  if (Math.abs(Number(timestamp) * 1000 - msOf(line.at)) > TOLERANCE_MS + 1_000) {
    return "the timestamp is more than 300 s from the receiver's clock";
  }
  const expected = createHmac('sha256', organization.secret)
    .update(`${timestamp}.${delivery.body}`)
    .digest('hex');
  return signature === `sha256=${expected}`
    ? null
    : 'X-Service-Signature does not match the body in the ledger';
}
