import { callState } from '../../db/calls/engine';
import type { CallStatus } from '../../domain/call-outcome';
import { WITHOUT_ROW } from './call-ending';
import { analyseOrConclude, type Conclusion } from './concluding';
import type { DeliveryDependencies } from '../delivering/delivering';
import type { DialInput, DialStep } from '../dialling/dial-step';
import type { resolvingActivities } from './resolving';

/** Number of look-ups of a call past its deadline, at this interval. After the last one, the call ends as lost. */
const RESOLVE_ATTEMPTS = 3;
const RESOLVE_INTERVAL_MS = 10_000;

export type Over = { kind: 'over' } & Conclusion & { callStatus: CallStatus };

/** `unended`: the call was not dialled, and the workflow has to end it. */
export type Dialled = Exclude<DialStep, { kind: 'over' }> | Over | { kind: 'unended' };

type Attended =
  | Over
  /**
   * The carrier may still have the call. `checkAgainAfterMs` is null if the workflow only has to wait until the end is reported or the
   * deadline passes.
   */
  | { kind: 'live'; lookUps: number; checkAgainAfterMs: number | null };

interface AttendInput {
  callId: string;
  now: number;
  /** An operator cancelled the workflow. */
  stop: boolean;
  /** The call is past its deadline. */
  isLate: boolean;
  /** Number of look-ups so far, taken from the previous result. */
  lookUps: number;
}

export function attendingActivities(
  deps: DeliveryDependencies,
  resolving: ReturnType<typeof resolvingActivities>,
  dial: (input: DialInput) => Promise<DialStep>,
) {
  /** Processes the call if it is over. */
  async function concluded({ callId, now }: { callId: string; now: number }): Promise<Over | null> {
    const { callStatus, ...conclusion } = await analyseOrConclude(deps, { callId, now });
    return callStatus === null ? null : { kind: 'over', ...conclusion, callStatus };
  }

  /** Returns the final status if the call is over now. */
  async function ended({ callId, now, stop, isLate, lookUps }: AttendInput): Promise<CallStatus | null> {
    const state = await callState(deps.db, callId);
    if (state === undefined) return WITHOUT_ROW;
    const isDue = stop || isLate;
    if (!isDue) return state.isHangUpRequested ? resolving.stopCall({ callId, now }) : null;
    const stopped = stop && lookUps === 0 ? await resolving.stopCall({ callId, now }) : null;
    return stopped ?? resolving.resolveCall({ callId, giveUp: lookUps + 1 >= RESOLVE_ATTEMPTS, now });
  }

  return {
    /**
     * Runs after every wait of a call that the workflow hasn't placed. Dials the call, or processes it if it is over (see
     * `analyseOrConclude`). `mayBeOver`: a signal reported an end or requested one, so the end is looked up first.
     */
    dial: async ({ mayBeOver, ...input }: DialInput & { mayBeOver: boolean }): Promise<Dialled> => {
      const over = mayBeOver ? await concluded(input) : null;
      if (over !== null) return over;
      const step = await dial(input);
      return step.kind === 'over' ? ((await concluded(input)) ?? { kind: 'unended' }) : step;
    },

    /**
     * Runs after every wait of a placed call. If the call is over, processes it (see `analyseOrConclude`). If not, hangs it up on request,
     * or looks it up once it is past its deadline.
     */
    attendCall: async (input: AttendInput): Promise<Attended> => {
      const { callId, now } = input;
      const over = await concluded(input);
      if (over !== null) return over;
      const callStatus = await ended(input);
      if (callStatus !== null) {
        return {
          kind: 'over',
          ...(await analyseOrConclude(deps, { callId, now })),
          callStatus,
        };
      }
      if (!input.stop && !input.isLate)
        return { kind: 'live', lookUps: input.lookUps, checkAgainAfterMs: null };
      return { kind: 'live', lookUps: input.lookUps + 1, checkAgainAfterMs: RESOLVE_INTERVAL_MS };
    },
  };
}
