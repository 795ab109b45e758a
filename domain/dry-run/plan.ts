import type { CallingSchedule } from '../calling-window';
import type { RedialTerms } from '../redial';

/** What nobody knows before the calls are made. */
export interface Assumptions {
  /** Share of first dials that are answered, and of redials; 0 to 1. */
  answerRate: number;
  redialAnswerRate: number;
  /** Share of contacts that a do-not-disturb list names; 0 to 1. */
  dndRate: number;
  /** From the answer to the end. */
  talkMs: number;
  /** From the dial to the answer, or to the end of a dial that nobody answers. */
  ringMs: number;
}

/** A contact of a campaign under way that was dialled before. */
export interface BegunContact {
  row: number;
  /** Dials so far. */
  attempts: number;
  /** When it is dialled again; milliseconds since the epoch. */
  dueAt: number;
}

export interface DryRunPlan extends RedialTerms {
  /** When the campaign is created; milliseconds since the epoch. */
  startsAt: number;
  schedule: CallingSchedule;
  /** The file's rows that are dialled for the first time, in its order. */
  rows: readonly number[];
  /** None of a campaign that begins. */
  begun?: readonly BegunContact[];
  /** Most calls at once: the least of the campaign's and its client's. */
  lines: number;
  /** 0 for no pacing. */
  callsPerSecond: number;
  /** A conversation is ended then. */
  maxTalkMs: number;
  creditsPerMinute: number;
  /** Credits of a UTC day at which a brake stops the campaign; null for no brake. */
  spendPerDay: number | null;
  assumptions: Assumptions;
}

export const contactsIn = ({ rows, begun = [] }: DryRunPlan): number => rows.length + begun.length;
