import type { Call } from './state/call';

/** Reports each step of the call to the platform and records it in the room, once each. */
export function reportProgress({ state, record, events }: Call): void {
  let [isRingingReported, isAnswerReported, isAnswererReported] = [false, false, false];
  state.subscribe(({ joinedAt, ringingAt, answeredAt, answeredBy, left }) => {
    if (joinedAt !== null) record.set({ dialing_at: iso(joinedAt) });
    if (ringingAt !== null && !isRingingReported) {
      isRingingReported = true;
      record.set({ ringing_at: iso(ringingAt) });
      events.emit({ type: 'ringing' }, new Date(ringingAt));
    }
    if (answeredAt !== null && !isAnswerReported) {
      isAnswerReported = true;
      record.set({ answered_at: iso(answeredAt) });
      events.emit({ type: 'answered' }, new Date(answeredAt));
    }
    if (answeredAt !== null && answeredBy !== null && !isAnswererReported) {
      isAnswererReported = true;
      events.emit({ type: 'answered', answered_by: answeredBy }, new Date(answeredAt));
    }
    if (left !== null) record.set({ left_at: iso(left.at), left_reason: left.reason });
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();
