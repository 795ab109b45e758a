import { callState } from '../../db/calls/engine';
import type { CallStatus } from '../../domain/call-outcome';
import { WITHOUT_ROW } from './call-ending';
import type { concludingActivities, Conclusion } from './concluding';
import type { ActivityDependencies } from '../dependencies';
import type { settlingActivities } from './settling';

/** How often, and how long apart, the carrier is asked about a call that is past its deadline before it is written off. */
const SETTLE_ATTEMPTS = 3;
const SETTLE_INTERVAL_MS = 10_000;

export type Attended =
  | ({ kind: 'over' } & Conclusion & { callStatus: CallStatus })
  /** The carrier may have it. `lookAgainAfterMs` is null where only its reported end or its deadline is waited for. */
  | { kind: 'live'; settled: number; lookAgainAfterMs: number | null };

export interface AttendInput {
  callId: string;
  now: number;
  /** An operator cancelled its workflow. */
  stop: boolean;
  /** It is past its deadline. */
  isLate: boolean;
  /** How often the carrier was asked for its end: `settled` of the answer before. */
  settled: number;
}

export function attendingActivities(
  { db }: ActivityDependencies,
  concluding: ReturnType<typeof concludingActivities>,
  settling: ReturnType<typeof settlingActivities>,
) {
  /** The final status, if it is over by now. */
  async function ended({ callId, now, stop, isLate, settled }: AttendInput): Promise<CallStatus | null> {
    const state = await callState(db, callId);
    if (state === undefined) return WITHOUT_ROW;
    const isDue = stop || isLate;
    if (!isDue) return state.isHangUpAsked ? settling.stopCall({ callId, now }) : null;
    const stopped = stop && settled === 0 ? await settling.stopCall({ callId, now }) : null;
    return stopped ?? settling.settleCall({ callId, giveUp: settled + 1 >= SETTLE_ATTEMPTS, now });
  }

  return {
    /**
     * What is to be done for a call that was placed, or that is to be stopped, whatever its workflow was woken by: processes it where it is over
     * (see `concludeCall`), else hangs it up where that was asked for, and asks the carrier for its end where it is late.
     */
    attendCall: async (input: AttendInput): Promise<Attended> => {
      const { callId, now } = input;
      const conclusion = await concluding.concludeCall({ callId, now, mayAnalyse: true });
      if (conclusion.callStatus !== null) {
        return { kind: 'over', ...conclusion, callStatus: conclusion.callStatus };
      }
      const callStatus = await ended(input);
      if (callStatus !== null) {
        return {
          kind: 'over',
          ...(await concluding.concludeCall({ callId, now, mayAnalyse: true })),
          callStatus,
        };
      }
      if (!input.stop && !input.isLate)
        return { kind: 'live', settled: input.settled, lookAgainAfterMs: null };
      return { kind: 'live', settled: input.settled + 1, lookAgainAfterMs: SETTLE_INTERVAL_MS };
    },
  };
}
