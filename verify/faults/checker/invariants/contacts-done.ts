/**
 * 5. Every contact ends in one final state that matches the carrier's log. The campaign's counts agree with its contacts, and its end is
 * reported once.
 */
import { type Dial, isSameNumber } from '../dials';
import { type CampaignRecord, type Contact, isoOf, msOf } from '../evidence';
import type { CallRow, CampaignRow, ContactRow } from '../rows';
import { type Caller, contactKey, dialsByContact, outageBetween, type Run } from '../run';
import { lastWindowEndsMs } from '../terms';
import { reportedOnce } from './deliveries';
import { neverRang } from './dials';
import { couldBeDialledAt } from './rules';

const FINAL_STATES: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'duplicate',
  'dnd',
  'invalid',
  'cancelled',
  'expired',
]);
/** End reasons after which a contact is redialled if it has attempts left. */
const REDIALLED: ReadonlySet<string | null> = new Set([
  'no_answer',
  'busy',
  'carrier_failure',
  'carrier_unavailable',
]);

export function contactsDone(run: Run): string[] {
  return [
    ...lostContacts(run),
    ...extraContacts(run),
    ...wrongSums(run),
    ...reportedOnce(run),
    ...neverRang(run),
    ...callersDone(run),
  ];
}

/** Returns a sentence for each contact that is missing, hasn't ended, or has a different end than in the carrier's log. */
export function lostContacts(run: Run): string[] {
  const rows = new Map(run.rows.contacts.map((row) => [contactKey(row.campaign_id, row.row_number), row]));
  const dials = dialsByContact(run.dials);
  return run.evidence.campaigns.flatMap((campaign) => {
    const campaignRow = run.rows.campaigns.find(({ id }) => id === campaign.id);
    return campaign.contacts.flatMap((contact) => {
      const key = contactKey(campaign.id, contact.row);
      const whose = `row ${contact.row} of campaign ${campaign.id}`;
      const row = rows.get(key);
      if (row === undefined) return `${whose} is missing from Postgres`;
      const reason = lostBecause(run, { campaign, campaignRow, contact, row, dials: dials.get(key) ?? [] });
      return reason === null ? [] : `${whose} ${reason}`;
    });
  });
}

/** Returns a sentence for each stored contact that no request contained, such as one that was stored twice. */
function extraContacts({ rows, evidence }: Run): string[] {
  return evidence.campaigns.flatMap(({ id, contacts }) => {
    const known = new Set(contacts.map(({ row }) => row));
    return rows.contacts
      .filter((row) => row.campaign_id === id && !known.has(row.row_number))
      .map((row) => `row ${row.row_number} of campaign ${id} was stored, but no request contained it`);
  });
}

interface Settled {
  campaign: CampaignRecord;
  campaignRow: CampaignRow | undefined;
  contact: Contact;
  row: ContactRow;
  dials: Dial[];
}

function lostBecause(run: Run, settled: Settled): string | null {
  const { row, dials } = settled;
  if (!FINAL_STATES.has(row.state)) {
    const last = dials.at(-1);
    const standing =
      last === undefined
        ? 'was never dialled'
        : `was last dialled at ${isoOf(last.placedMs)} (call ${last.reference})`;
    return `is still ${row.state} at the end of the run; it ${standing}`;
  }
  const answered = dials.find((dial) => dial.answered);
  if (row.state !== 'completed') {
    const reached = dials.find((dial) => dial.answered && !dial.metItsEnd);
    if (reached !== undefined) {
      return `ended as ${row.state}, but the carrier's log says that call ${reached.reference} was answered (simulator.jsonl:${reached.line})`;
    }
    return endedEarly(run, settled);
  }
  return answered === undefined ? "ended as completed, but the carrier's log has no answered call" : null;
}

/** Finds a contact that was given up although it could still have been dialled. */
function endedEarly(run: Run, settled: Settled): string | null {
  const { campaign, campaignRow, contact, row } = settled;
  const possible = run.terms(campaign).possible(-Infinity, Infinity);
  const calls = run.rows.calls.filter(
    (call) => call.campaign_id === campaign.id && call.contact_row === contact.row && !call.is_callback,
  );
  // The row of a call that was hung up before its dial isn't marked, so the requests are checked too.
  const hungUp = calls.some(
    ({ call_id, hung_up }) =>
      hung_up || run.asked.some(({ kind, callId }) => kind === 'hangUp' && callId === call_id),
  );
  switch (row.state) {
    case 'failed': {
      const min = Math.min(...possible.map(({ maxRetries }) => maxRetries));
      if (
        !REDIALLED.has(row.reason) ||
        calls.length >= min ||
        campaignRow?.status === 'cancelled' ||
        hungUp
      ) {
        return null;
      }
      return `ended as failed (${row.reason}) after ${calls.length} of ${min} dials`;
    }
    case 'cancelled':
      if (campaignRow?.status === 'cancelled' || hungUp || calls.some(({ outlasted }) => outlasted))
        return null;
      return `ended as cancelled, but neither its campaign nor one of its calls was cancelled`;
    case 'invalid':
    case 'expired': {
      if (campaign.profiles !== undefined && RULES.has(row.reason)) return refusedEarly(run, settled);
      if (row.state === 'invalid') return null;
      const over = Math.min(...possible.map(lastWindowEndsMs));
      if (over <= msOf(run.rows.read_at)) return null;
      return `ended as expired before the last window of its campaign closes at ${isoOf(over)}`;
    }
    case 'duplicate': {
      const first = campaign.contacts.find(
        (other) => other.row !== contact.row && isSameNumber(other.phone_number, contact.phone_number),
      );
      return first === undefined ? 'ended as duplicate, but no other row has its number' : null;
    }
    default:
      return null;
  }
}

/** Reasons of contacts that the rules never allow, or whose last window has closed. */
const RULES: ReadonlySet<string | null> = new Set([
  'hours',
  'holiday',
  'max_per_day',
  'max_per_7_days',
  'min_gap',
  'consent',
  'zone_unknown',
  'campaign_over',
]);

function refusedEarly(run: Run, { campaign, contact, row }: Settled): string | null {
  const allowedMs = couldBeDialledAt(run, campaign, contact);
  return allowedMs === null
    ? null
    : `ended as ${row.state} (${row.reason}), but could still be dialled at ${isoOf(allowedMs)}`;
}

function wrongSums({ rows, evidence }: Run): string[] {
  return evidence.campaigns.flatMap((campaign) => {
    const row = rows.campaigns.find(({ id }) => id === campaign.id);
    if (row === undefined) return `campaign ${campaign.id} is missing from Postgres`;
    const states = rows.contacts
      .filter(({ campaign_id }) => campaign_id === campaign.id)
      .map(({ state }) => state);
    const count = (is: (state: string) => boolean): number => states.filter(is).length;
    const sums = [
      ['total_contacts', row.total_contacts, campaign.contacts.length],
      ['in_progress_contacts', row.in_progress_contacts, count((state) => state === 'in_progress')],
      ['completed_contacts', row.completed_contacts, count((state) => state === 'completed')],
      [
        'failed_contacts',
        row.failed_contacts,
        count((state) => FINAL_STATES.has(state) && state !== 'completed'),
      ],
    ] as const;
    return sums.flatMap(([name, said, counted]) =>
      said === counted
        ? []
        : `campaign ${campaign.id} has ${name} ${said}, but its contacts add up to ${counted}`,
    );
  });
}

/** Time after the end of a call until its row must show it. */
const WRITTEN_WITHIN_MS = 15_000;

/**
 * Checks that every inbound call ends. A call that was never answered must free its line, and must be `cancelled` if the caller hung up.
 */
function callersDone(run: Run): string[] {
  return run.rows.calls
    .filter(({ direction }) => direction === 'Incoming')
    .flatMap((row) => {
      const caller = run.callers.find(({ from }) => isSameNumber(from, row.from_number ?? ''));
      const fault = caller === undefined ? null : faultOf(run, row, caller);
      return fault === null ? [] : `inbound call ${row.call_id} ${fault}`;
    });
}

function faultOf(
  run: Run,
  row: CallRow,
  { rangMs, answered, endedMs, endReason, line }: Caller,
): string | null {
  if (row.stage !== 'over') return `is still ${row.call_status} at the end of the run`;
  if (answered) return null;
  const inLog = `(simulator.jsonl:${line})`;
  if (row.call_cost > 0) return `costs ${row.call_cost}, but was never answered ${inLog}`;
  const gaveUp = endReason === 'no_answer' && endedMs !== null;
  if (!gaveUp || outageBetween(run.outages, rangMs, endedMs + WRITTEN_WITHIN_MS) !== undefined) return null;
  // All lines were in use.
  if (row.call_status === 'cancelled' || row.call_status === 'busy') return null;
  return `ended as ${row.call_status}, but the caller hung up ${inLog}`;
}
