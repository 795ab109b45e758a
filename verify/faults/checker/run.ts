/** Prepares the evidence and rows of a run for the invariants. */
import { type Caller, callersOf, type Dial, dialsOf } from './dials';
import { type CampaignRecord, type Evidence, msOf } from './evidence';
import { type Asked, askedOf } from './requests';
import type { Rows } from './rows';
import { termsHistory, type TermsHistory } from './terms';
import { trueTimes } from './true-time';

/** Invariant 9, that no organization delays another, can be checked only in virtual time, by the simulation. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10;

export interface InvariantVerdict {
  number: InvariantNumber;
  name: string;
  /** Sentences with ids, true times and line numbers of the evidence. Empty if the invariant holds. */
  violations: string[];
}

export interface Figures {
  /** Outbound calls that the carrier placed. */
  dials: number;
  /** Calls placed again under a reference that was already used. */
  duplicates: number;
  contacts_lost: number;
  /** Calls placed while all lines of the campaign or organization were in use. */
  cap_overruns: number;
  /** For each outage during which contacts were due: seconds from the start command that ended it to the next dial. */
  start_to_dial_s: number[];
  /** For the same outages: seconds from the kill, including the planned downtime. */
  kill_to_dial_s: number[];
}

export interface Verdict {
  invariants: InvariantVerdict[];
  figures: Figures;
}

interface Outage {
  what: string;
  /** `lossy`: everything is reachable, but responses get lost. */
  kind: 'unreachable' | 'lossy';
  fromMs: number;
  /** Infinite if the outage never ended. */
  untilMs: number;
  /** When recovery began, which for a process is its start command. Equals `untilMs` for a connection. */
  backFromMs: number;
}

/** Matches descriptions of faults that make something unreachable. Shifted clocks and repeated events don't. */
const IS_UNREACHABLE = /kill|crash|cut|down|stop|freez|partition|outage|unreachable|stalled|starved|locked/i;
const IS_LOSSY = /lose|lost/i;

function outagesOf({ restarts, faults }: Pick<Evidence, 'restarts' | 'faults'>): Outage[] {
  const killed = restarts.map(({ process, killed_at, started_at, ready_at }) => ({
    what: process,
    kind: 'unreachable' as const,
    fromMs: msOf(killed_at),
    untilMs: ready_at === null ? Infinity : msOf(ready_at),
    backFromMs: started_at === null ? Infinity : msOf(started_at),
  }));
  const cut = faults
    .filter(({ fault }) => IS_UNREACHABLE.test(fault) || IS_LOSSY.test(fault))
    .map(({ fault, target, at, until }) => ({
      kind: IS_UNREACHABLE.test(fault) ? ('unreachable' as const) : ('lossy' as const),
      what: target === null || target === undefined ? fault : `${fault} ${target}`,
      fromMs: msOf(at),
      untilMs: msOf(until ?? at),
      backFromMs: msOf(until ?? at),
    }));
  return [...killed, ...cut].sort((one, other) => one.fromMs - other.fromMs);
}

export function outageBetween(
  outages: readonly Outage[],
  fromMs: number,
  untilMs: number,
): Outage | undefined {
  return outages.find((outage) => outage.fromMs <= untilMs && outage.untilMs >= fromMs);
}

export type { Caller } from './dials';

export interface Run {
  evidence: Evidence;
  rows: Rows;
  /** In the order of placement. */
  dials: Dial[];
  callers: Caller[];
  asked: Asked[];
  outages: Outage[];
  campaign: (id: string | null) => CampaignRecord | undefined;
  terms: (campaign: CampaignRecord) => TermsHistory;
}

export function runOf(evidence: Evidence, rows: Rows): Run {
  const asked = askedOf(evidence.requests);
  const times = trueTimes(evidence);
  const campaigns = new Map(evidence.campaigns.map((campaign) => [campaign.id, campaign]));
  const histories = new Map(
    evidence.campaigns.map((campaign) => [campaign.id, termsHistory(campaign, asked)]),
  );
  return {
    evidence,
    rows,
    dials: dialsOf(evidence.carrier, times, rows.calls, evidence.campaigns),
    callers: callersOf(evidence.carrier, times),
    asked,
    outages: outagesOf(evidence),
    campaign: (id) => (id === null ? undefined : campaigns.get(id)),
    terms: (campaign) => histories.get(campaign.id) ?? termsHistory(campaign, asked),
  };
}

/** Groups calls by contact in the order of placement, even if their references differ. */
export function dialsByContact(dials: readonly Dial[]): Map<string, Dial[]> {
  const result = new Map<string, Dial[]>();
  for (const dial of dials) {
    if (dial.campaignId === null || dial.contactRow === null) continue;
    const key = contactKey(dial.campaignId, dial.contactRow);
    const others = result.get(key);
    if (others === undefined) result.set(key, [dial]);
    else others.push(dial);
  }
  return result;
}

export const contactKey = (campaignId: string, row: number): string => `${campaignId} ${row}`;
