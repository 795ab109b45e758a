/** The plan of a run. Each part can be left out, which is how a failed run is shrunk. */
import type { ProfileRecord } from '../../faults/checker/evidence';
import type { AfterLoss } from '../platform/carrier';
import type { Link, LinkFault, Pace, ProcessName } from '../world';

export type WebhookPath = '/ok' | '/flaky' | '/hanging' | '/dead';

/** A contact of a campaign with rules. */
export interface ContactPlan {
  /** Start of the number. */
  prefix: string;
  /** Contacts of several campaigns with the same prefix, ending and `nth` have the same number. */
  nth: number;
  /** The contact's own zone. Null for the zones of its number. */
  timezone: string | null;
  /** All zones in which the contact may be. */
  zones: string[];
  consent: boolean;
}

export interface CampaignRules {
  /** `contact`, an IANA name, or null for UTC. */
  windowTimezone: string | null;
  fromDate: string;
  toDate: string;
  startTime: string;
  endTime: string;
  profile: ProfileRecord | null;
  /** In the order of the campaign's endings. */
  contacts: ContactPlan[];
}

export interface CampaignPlan {
  organization: number;
  concurrency: number;
  maxRetries: number;
  retryDelayMins: number;
  /** Last two digits of each contact's number, which choose what the carrier does. */
  endings: number[];
  createdAtMs: number;
  webhook: WebhookPath | null;
  callWebhook: WebhookPath | null;
  /** `opens` and `closes` happen at a full minute during the run. */
  window: 'open' | 'opens' | 'closes';
  /** Replaces the window and the contacts' numbers. */
  rules?: CampaignRules;
}

export type Crashed = 'worker' | 'worker-2' | 'api' | 'carrier';

export type Happening =
  | { kind: 'pause' | 'resume' | 'cancel'; atMs: number; campaign: number }
  | { kind: 'edit'; atMs: number; campaign: number; fields: { concurrency?: number; max_retries?: number } }
  /** Appends contacts with these endings, and then repeats the request. */
  | { kind: 'append'; atMs: number; campaign: number; endings: number[] }
  | { kind: 'dispatch'; atMs: number; organization: number; ending: number; number?: string }
  /** Hangs up the nth of the calls that are live at that time. */
  | { kind: 'hang up'; atMs: number; nth: number }
  | { kind: 'crash'; atMs: number; process: Crashed; downMs: number }
  /** Crashes the process between two steps, after it has sent this many messages from that time on. */
  | { kind: 'crash at step'; atMs: number; process: Crashed; steps: number; downMs: number }
  | { kind: 'stall'; atMs: number; process: Crashed; forMs: number }
  | {
      kind: 'link';
      atMs: number;
      from: ProcessName;
      to: Link;
      how: LinkFault['how'];
      count: number;
      forMs: number;
    }
  /** Makes a server unreachable. With `dies with a commit` (only Postgres), the next transaction commits but its response is lost. */
  | {
      kind: 'server';
      atMs: number;
      server: 'postgres' | 'temporal';
      how: 'dies' | 'dies with a commit';
      downMs: number;
    }
  /** A bridge loses this many live calls without an event; null is all of them, as if the bridge died. */
  | { kind: 'bridge'; atMs: number; after: AfterLoss; max: number | null; downMs: number }
  /** `dies`: it processes what it has received but doesn't respond, and is then unreachable. */
  | { kind: 'receiver'; atMs: number; organization: number; how: 'hangs' | 'dies'; forMs: number }
  | { kind: 'shuffle events'; atMs: number; forMs: number }
  | { kind: 'set clock'; atMs: number; process: 'worker' | 'api' | 'carrier'; offsetMs: number };

export interface SimulationPlan {
  seed: number;
  startMs: number;
  workers: 1 | 2;
  /** Number of lines of each organization. */
  organizations: number[];
  campaigns: CampaignPlan[];
  happenings: Happening[];
  /** Rule profile of every organization. */
  organizationProfile?: ProfileRecord | null;
  pace: Pace;
  ringMs: number;
  talkMs: number;
  continueAsNewAfterEvents: number;
}
