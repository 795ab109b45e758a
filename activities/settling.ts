import * as calls from '../db/call-engine';
import { endedAt } from '../workflows/domain/call-end';
import { finalStatusOf, type CallStatus } from '../workflows/domain/call-outcome';
import { endCallAs, endFactsOf } from './call-ending';
import type { ActivityDependencies } from './dependencies';
import { CarrierUnreachable, type CarrierCall } from './telephony/port';

/** Endings that no event told us of: the carrier is asked, and its answer is the truth. */
export function settlingActivities(deps: ActivityDependencies) {
  const { db, telephony, log, clock } = deps;

  async function find(callId: string): Promise<CarrierCall | undefined | 'unreachable'> {
    try {
      return (await telephony.find(callId)).calls[0];
    } catch (error) {
      if (error instanceof CarrierUnreachable) return 'unreachable';
      throw error;
    }
  }

  const carrierIdOf = (found: CarrierCall | undefined | 'unreachable'): string | null =>
    found === 'unreachable' || found === undefined ? null : found.carrierId;

  async function hangUp(carrierId: string): Promise<void> {
    try {
      await telephony.hangUp(carrierId);
    } catch (error) {
      if (!(error instanceof CarrierUnreachable)) throw error;
    }
  }

  return {
    /**
     * The final status of a call past its deadline; null while the carrier still has it: it was told to hang up. With `giveUp` it
     * is written off, so that its line is free whatever the carrier does.
     */
    async settleCall({
      callId,
      giveUp,
      now,
    }: {
      callId: string;
      giveUp: boolean;
      now: number;
    }): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined) return 'error';
      if (state.stage === 'over') return finalStatusOf(state.callStatus);
      const found = await find(callId);
      if (found !== 'unreachable' && found?.state === 'ended')
        return endCallAs(deps, callId, endFactsOf(found, now), now);
      if (found !== 'unreachable' && found !== undefined) await hangUp(found.carrierId);
      if (!giveUp) return null;
      log.warn(
        { call_id: callId, client_id: state.clientId },
        'a call was written off: the carrier never told its end',
      );
      return endCallAs(deps, callId, endedAt(now, 'lost'), now);
    },

    /**
     * The call is to end now: ends it where nothing was dialled, hangs it up where something was. Null while it may be live. A carrier
     * that cannot be reached is not asked again here: whoever wants the end comes back.
     */
    async stopCall({ callId, now }: { callId: string; now: number }): Promise<CallStatus | null> {
      const state = await calls.callState(db, callId);
      if (state === undefined) return 'error';
      if (state.stage !== 'asking' && state.stage !== 'placed') {
        return endCallAs(deps, callId, endedAt(now, 'cancelled'), now);
      }
      // A look-up may miss a call that was placed a moment ago.
      const carrierId = state.carrierId ?? carrierIdOf(await find(callId));
      if (carrierId !== null) await hangUp(carrierId);
      return null;
    },

    /** Looks up a placed call that nothing was heard of, and applies what the carrier says. Answers whether it is over now. */
    async lookUpSilentCall(callId: string): Promise<CallStatus | null> {
      const found = await find(callId);
      if (found === 'unreachable' || found === undefined || found.state !== 'ended') return null;
      return endCallAs(deps, callId, endFactsOf(found, clock()), clock());
    },
  };
}
