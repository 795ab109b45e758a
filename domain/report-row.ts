import type { CallStatus, ContactState } from './call-outcome';

/** A contact with its last dialled call. The call's fields are null if there was none. */
export interface ReportRow {
  row: number;
  name: string;
  phoneNumber: string;
  variables: Readonly<Record<string, unknown>>;
  state: ContactState;
  reason: string | null;
  /** Number of dialled calls, including one in progress. */
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
