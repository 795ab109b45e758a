import type { CallStatus, ContactState } from './call-outcome';

/** A contact and the last call that the carrier was asked for; what is of the call is null where there was none. */
export interface ReportRow {
  row: number;
  name: string;
  phoneNumber: string;
  variables: Readonly<Record<string, unknown>>;
  state: ContactState;
  reason: string | null;
  /** Calls that the carrier was asked for, one that is under way included. */
  attempts: number;
  nextAttemptAt: Date | null;
  callId: string | null;
  callStatus: CallStatus | null;
  dialledAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  durationMs: number | null;
  callCost: number | null;
  summary: string | null;
  evalTag: string | null;
}
