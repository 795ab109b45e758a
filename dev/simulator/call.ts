import { isoOf, type CancelTimer } from './clock';
import type { PlacedEntry } from './log';
import type { EndedStep, Step } from './plan';
import type { AnsweredBy, CallState, EndReason, Segment } from './protocol';

/** A call as the carrier stores it. Times are Unix milliseconds. A time is null until the call reaches that state. */
export interface Call {
  readonly carrierId: string;
  readonly direction: 'outbound' | 'inbound';
  reference: string | null;
  readonly to: string;
  readonly from: string | null;
  readonly eventsUrl: string;
  readonly steps: readonly Step[];
  readonly acceptedAtMs: number;
  state: CallState;
  dialingAtMs: number | null;
  ringingAtMs: number | null;
  answeredAtMs: number | null;
  endedAtMs: number | null;
  endReason: EndReason | null;
  sipStatus: number | null;
  answeredBy: AnsweredBy | null;
  readonly transcript: Segment[];
  /** Index of the next step. */
  next: number;
  cancelTimer: CancelTimer | null;
}

export function callOf(entry: PlacedEntry): Call {
  return {
    carrierId: entry.carrier_id,
    direction: entry.direction,
    reference: entry.reference,
    to: entry.to,
    from: entry.from,
    eventsUrl: entry.events_url,
    steps: entry.steps,
    acceptedAtMs: Date.parse(entry.at),
    state: 'accepted',
    dialingAtMs: null,
    ringingAtMs: null,
    answeredAtMs: null,
    endedAtMs: null,
    endReason: null,
    sipStatus: null,
    answeredBy: null,
    transcript: [],
    next: 0,
    cancelTimer: null,
  };
}

/** Returns when a step is due. Steps after the answer count from its actual time, so a late timer doesn't shorten the conversation. */
export function dueMs(call: Call, step: Step): number {
  if (call.answeredAtMs === null) return call.acceptedAtMs + step.after_ms;
  const answered = call.steps.find((each) => each.type === 'answered');
  return call.answeredAtMs + step.after_ms - (answered?.after_ms ?? 0);
}

/** Applies the step to the call. */
export function applyStep(call: Call, step: Step, atMs: number): void {
  switch (step.type) {
    case 'segment': {
      const { speaker, text, start_ms, end_ms } = step;
      call.transcript.push({ speaker, text, start_ms, end_ms });
      return;
    }
    case 'dialing':
      call.dialingAtMs = atMs;
      break;
    case 'ringing':
      call.ringingAtMs = atMs;
      break;
    case 'answered':
      call.answeredAtMs = atMs;
      call.answeredBy = step.answered_by;
      break;
    case 'ended':
      call.endedAtMs = atMs;
      call.endReason = step.end_reason;
      call.sipStatus = step.sip_status;
      call.answeredBy = step.answered_by;
      break;
  }
  call.state = step.type;
}

/** Returns the end of a call that was hung up before its planned end. */
export function endedBy(call: Call, reason: EndReason, sipStatus: number): EndedStep {
  return {
    type: 'ended',
    after_ms: 0,
    end_reason: reason,
    sip_status: sipStatus,
    answered_by: call.answeredBy,
  };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

/** Formats a call as `GET /calls` returns it. */
export function presentCall(call: Call): Record<string, unknown> {
  return {
    carrier_id: call.carrierId,
    reference: call.reference,
    to: call.to,
    from: call.from,
    state: call.state,
    end_reason: call.endReason,
    sip_status: call.sipStatus,
    answered_by: call.answeredBy,
    dialing_at: isoOrNull(call.dialingAtMs),
    ringing_at: isoOrNull(call.ringingAtMs),
    answered_at: isoOrNull(call.answeredAtMs),
    ended_at: isoOrNull(call.endedAtMs),
    transcript: call.transcript,
  };
}
