import type { HeldCall } from './call';

/** Tells the platform, and notes in the room, each thing that becomes known of the other side, once. */
export function tellWhatHappens({ situation, record, events }: HeldCall): void {
  let [isRingingTold, isAnswerTold, isAnswererTold] = [false, false, false];
  situation.watch(({ joinedAt, ringingAt, answeredAt, answeredBy, left }) => {
    if (joinedAt !== null) record.note({ dialing_at: iso(joinedAt) });
    if (ringingAt !== null && !isRingingTold) {
      isRingingTold = true;
      record.note({ ringing_at: iso(ringingAt) });
      events.tell({ type: 'ringing' }, new Date(ringingAt));
    }
    if (answeredAt !== null && !isAnswerTold) {
      isAnswerTold = true;
      record.note({ answered_at: iso(answeredAt) });
      events.tell({ type: 'answered' }, new Date(answeredAt));
    }
    if (answeredAt !== null && answeredBy !== null && !isAnswererTold) {
      isAnswererTold = true;
      events.tell({ type: 'answered', answered_by: answeredBy }, new Date(answeredAt));
    }
    if (left !== null) record.note({ left_at: iso(left.at), left_reason: left.reason });
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();
