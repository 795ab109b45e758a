/**
 * 6. Every finished call has an accepted delivery or exactly five failed attempts at the right intervals, with one event id and a valid
 * signature. A second accepted delivery is allowed only if a fault occurred between the first response and its record.
 */
import type { Dial } from '../dials';
import type { ReceiverLine } from '../evidence';
import { isoOf, msOf } from '../instant';
import type { Line } from '../json-lines';
import { outageBetween } from '../outages';
import type { DeliveryRow } from '../rows';
import { isTellable } from './never-rang';
import type { Run } from '../run';
import { attemptFaults } from './delivery-attempts';
import { signatureFaults } from './delivery-signatures';

/** Time from the end of a call to its recorded delivery. Allows for late events and a reconciliation every ten seconds. */
const CONCLUDED_WITHIN_MS = 60_000;
/** The worker records a response at once, but the statement may wait several seconds for a connection. */
const RECORDED_WITHIN_MS = 15_000;

export function delivered(run: Run): string[] {
  const accepted = acceptedByEvent(run);
  return [
    ...finishedDials(run).flatMap((dial) => callFaults(run, dial)),
    ...run.rows.deliveries.flatMap((delivery) => drainedFaults(delivery, accepted) ?? []),
    ...run.rows.deliveries.flatMap((delivery) => attemptFaults(run, delivery)),
    ...acceptedTwice(run, accepted),
    ...unknownEvents(run),
    ...signatureFaults(run),
  ];
}

const isAccepted = ({ valid, status }: ReceiverLine): boolean => valid && status >= 200 && status < 300;

function acceptedByEvent({ evidence }: Run): Map<string, Line<ReceiverLine>[]> {
  const result = new Map<string, Line<ReceiverLine>[]>();
  for (const line of evidence.receiver) {
    if (line.event_id === null || !isAccepted(line)) continue;
    result.set(line.event_id, [...(result.get(line.event_id) ?? []), line]);
  }
  return result;
}

/** Returns dials that ended long enough ago and whose campaign has a webhook URL. */
function finishedDials({ dials, rows }: Run): Dial[] {
  const notified = new Set(
    rows.campaigns.filter((row) => row.per_call_webhook_url !== null).map((row) => row.id),
  );
  const until = msOf(rows.read_at) - CONCLUDED_WITHIN_MS;
  return dials.filter(
    ({ campaignId, endedMs }) =>
      campaignId !== null && notified.has(campaignId) && endedMs !== null && endedMs < until,
  );
}

function callFaults(run: Run, dial: Dial): string[] {
  const deliveries = run.rows.deliveries.filter(({ call_id }) => call_id === dial.reference);
  const eventIds = new Set(deliveries.map(({ event_id }) => event_id));
  const which = `call ${dial.reference}, ended at ${isoOf(dial.endedMs ?? NaN)} (placed in simulator.jsonl:${dial.line}),`;
  if (eventIds.size !== 1) return [`${which} has ${eventIds.size} webhook events instead of one`];
  const expected = expectedEvents(run, dial);
  const wrong = deliveries.find(({ event }) => !expected.includes(event));
  return wrong === undefined
    ? []
    : [`${which} was reported as ${wrong.event}, but the carrier's log means ${expected.join(' or ')}`];
}

function expectedEvents(run: Run, dial: Dial): string[] {
  // If the callee answers just as the ring time ends, the carrier doesn't report the answer. It reports the end of the ringing, with any
  // result.
  if (dial.metItsEnd) return ['call.no_answer', 'call.failed', 'call.completed'];
  if (dial.answered) return ['call.completed'];
  if (dial.endReason === 'no_answer') return ['call.no_answer'];
  return dial.rang || isTellable(run, dial) ? ['call.failed'] : ['call.failed', 'call.no_answer'];
}

/** Compares deliveries that are final in the ledger with what arrived. */
function drainedFaults(delivery: DeliveryRow, accepted: ReadonlyMap<string, unknown[]>): string | null {
  if (delivery.status !== 'delivered' || accepted.has(delivery.event_id)) return null;
  return `delivery ${delivery.id} (${delivery.event}) is marked delivered, but the receiver accepted no event ${delivery.event_id}`;
}

function acceptedTwice(run: Run, accepted: ReadonlyMap<string, Line<ReceiverLine>[]>): string[] {
  const redelivered = new Set(
    run.rows.deliveries
      .filter(({ earlier_attempts }) => earlier_attempts > 0)
      .map(({ event_id }) => event_id),
  );
  return [...accepted].flatMap(([eventId, lines]) =>
    redelivered.has(eventId)
      ? []
      : lines.slice(1).flatMap((line, index) => secondFault(run, lines[index], line) ?? []),
  );
}

function secondFault(
  { outages }: Run,
  first: Line<ReceiverLine> | undefined,
  second: Line<ReceiverLine>,
): string | null {
  if (first === undefined) return null;
  const firstMs = msOf(first.at);
  if (outageBetween(outages, firstMs - 1_000, firstMs + RECORDED_WITHIN_MS) !== undefined) return null;
  return `event ${second.event_id} was accepted at ${first.at} and again at ${second.at} (receiver.jsonl:${first.line} and ${second.line}), although nothing died or was cut then`;
}

function unknownEvents({ rows, evidence }: Run): string[] {
  const known = new Set(rows.deliveries.map(({ event_id }) => event_id));
  return evidence.receiver.flatMap(({ event_id, event, line }) =>
    event_id !== null && known.has(event_id)
      ? []
      : `the receiver got event ${event_id ?? 'without an id'} (${event}, receiver.jsonl:${line}), but the ledger has no such event`,
  );
}
