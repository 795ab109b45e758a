/** Reads outbound and inbound calls from the carrier's log alone. */
import type { CampaignRecord, CarrierLine, Line } from './evidence';
import type { CallRow } from './rows';

export interface Dial {
  reference: string;
  carrierId: string;
  to: string;
  /** True time, and the position in the log. Log lines are in the order of events, even if clocks were wrong. */
  placedMs: number;
  placedOrder: number;
  endedMs: number | null;
  /** Infinite if the log doesn't contain the end of the call. */
  endedOrder: number;
  endReason: string | null;
  /** The phone rang, or the carrier reported that it rings. */
  rang: boolean;
  answered: boolean;
  /** The callee answered just as the ring time ended. The carrier hung up at once and never reported the answer. */
  metItsEnd: boolean;
  line: number;
  /** The call's row, or null if Postgres has none. */
  row: CallRow | null;
  organizationId: string | null;
  campaignId: string | null;
  /** Row of the contact in the contact file, if the call belongs to a campaign. */
  contactRow: number | null;
  isCallback: boolean;
}

/** Longest gap between two lines that the carrier writes together. */
const AT_ONCE_MS = 5;

export function dialsOf(
  lines: readonly Line<CarrierLine>[],
  timesMs: readonly number[],
  rows: readonly CallRow[],
  campaigns: readonly CampaignRecord[],
): Dial[] {
  const rowOf = new Map(rows.map((row) => [row.call_id, row]));
  const dials = new Map<string, Dial>();
  const answeredAt = new Map<Dial, number>();
  lines.forEach((line, order) => {
    const atMs = timesMs[order] ?? NaN;
    const carrierId = line.carrier_id ?? '';
    if (line.kind === 'placed' && line.direction === 'outbound') {
      const reference = line.reference ?? '';
      dials.set(carrierId, {
        reference,
        carrierId,
        to: line.to ?? '',
        placedMs: atMs,
        placedOrder: order,
        endedMs: null,
        endedOrder: Infinity,
        endReason: null,
        rang: false,
        answered: false,
        metItsEnd: false,
        line: line.line,
        ...ownership(rowOf.get(reference) ?? null, line.to ?? '', campaigns),
      });
    }
    const dial = dials.get(carrierId);
    if (dial === undefined || line.kind !== 'state') return;
    if (line.state === 'ringing') dial.rang = true;
    if (line.state === 'answered') {
      dial.answered = true;
      answeredAt.set(dial, atMs);
    }
    if (line.state !== 'ended' || dial.endedMs !== null) return;
    Object.assign(dial, { endedMs: atMs, endedOrder: order, endReason: line.end_reason ?? null });
    const talkedMs = atMs - (answeredAt.get(dial) ?? -Infinity);
    dial.metItsEnd = line.end_reason === 'platform' && talkedMs <= AT_ONCE_MS;
  });
  return [...dials.values()];
}

type Ownership = Pick<Dial, 'row' | 'organizationId' | 'campaignId' | 'contactRow' | 'isCallback'>;

/** Returns the owner from the call's row. If there is no row, returns the only campaign that has the number. */
function ownership(row: CallRow | null, to: string, campaigns: readonly CampaignRecord[]): Ownership {
  if (row !== null) {
    return {
      row,
      organizationId: row.organization_id,
      campaignId: row.campaign_id,
      contactRow: row.contact_row,
      isCallback: row.is_callback,
    };
  }
  const having = campaigns.filter((campaign) => contactWith(campaign, to) !== undefined);
  const [campaign] = having.length === 1 ? having : [];
  return {
    row: null,
    organizationId: campaign?.organization_id ?? null,
    campaignId: campaign?.id ?? null,
    contactRow: campaign === undefined ? null : (contactWith(campaign, to)?.row ?? null),
    isCallback: false,
  };
}

const contactWith = (campaign: CampaignRecord, number: string) =>
  campaign.contacts.find((contact) => isSameNumber(contact.phone_number, number));

/** Compares the last ten digits, because contact files can spell a number in four ways. */
export function isSameNumber(one: string, other: string): boolean {
  return nationalDigits(one) === nationalDigits(other);
}

export const nationalDigits = (number: string): string => number.replaceAll(/\D/g, '').slice(-10);

export interface Caller {
  from: string;
  rangMs: number;
  answered: boolean;
  /** Null if the log doesn't contain the end of the call. */
  endedMs: number | null;
  endReason: string | null;
  line: number;
}

export function callersOf(lines: readonly Line<CarrierLine>[], timesMs: readonly number[]): Caller[] {
  const callers = new Map<string, Caller>();
  lines.forEach((line, order) => {
    const atMs = timesMs[order] ?? NaN;
    const carrierId = line.carrier_id ?? '';
    if (line.kind === 'placed' && line.direction === 'inbound') {
      const from = line.from ?? '';
      const rings = { answered: false, endedMs: null, endReason: null };
      callers.set(carrierId, { from, rangMs: atMs, ...rings, line: line.line });
    }
    const caller = callers.get(carrierId);
    if (caller === undefined || line.kind !== 'state') return;
    if (line.state === 'answered') caller.answered = true;
    if (line.state !== 'ended' || caller.endedMs !== null) return;
    Object.assign(caller, { endedMs: atMs, endReason: line.end_reason ?? null });
  });
  return [...callers.values()];
}
