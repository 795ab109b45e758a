import type { CallingSchedule } from '../calling-window';
import type { RedialTerms } from '../redial';
import type { ZonedCampaign } from '../rules/campaign-window';
import type { Callee, DiallingRules } from '../rules/dialling';
import type { RuleProfile } from '../rules/profile';

/** The user's assumptions about the calls of a forecast. */
export interface Assumptions {
  /** Share of answered first dials, 0 to 1. */
  answerRate: number;
  /** Share of answered redials, 0 to 1. */
  redialAnswerRate: number;
  /** Share of contacts on a do-not-disturb list, 0 to 1. */
  dndRate: number;
  /** Time from the answer to the end. */
  talkMs: number;
  /** Time from the dial to the answer, or to the end if the dial is not answered. */
  ringMs: number;
}

/** A contact that a running campaign has already dialled. */
export interface BegunContact {
  row: number;
  /** Number of dials so far. */
  attempts: number;
  /** When the redial is due, in milliseconds since the epoch. */
  dueAt: number;
}

/** The rules of a campaign with a local window or rule profiles. */
export interface LocalPlan {
  campaign: Omit<ZonedCampaign, 'zones'>;
  ofOperator: RuleProfile | null;
  /** The same rules, ready for decisions. */
  rules: DiallingRules;
  /** All contacts of the plan, by row. */
  callees: ReadonlyMap<number, Callee>;
}

export interface DryRunPlan extends RedialTerms {
  /** When the campaign is created, in milliseconds since the epoch. */
  startsAt: number;
  schedule: CallingSchedule;
  /** Absent if only the schedule applies, in UTC. */
  local?: LocalPlan;
  /** Rows that have not been dialled yet, in file order. */
  rows: readonly number[];
  /** Absent for a new campaign. */
  begun?: readonly BegunContact[];
  /** Maximum simultaneous calls. This is the lower of the campaign's and the organization's limit. */
  lines: number;
  /** 0 means no limit. */
  callsPerSecond: number;
  /** Maximum duration of a conversation. */
  maxTalkMs: number;
  creditsPerMinute: number;
  /** Spend limit in credits per UTC day. Null means no limit. */
  spendPerDay: number | null;
  assumptions: Assumptions;
}

export const contactsIn = ({ rows, begun = [] }: DryRunPlan): number => rows.length + begun.length;
