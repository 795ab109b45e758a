import * as calls from '../../../db/calls/hang-up';
import type { Actor } from '../../../db/clients/audit';
import { callEndOf, endedAt } from '../../../domain/call-end';
import type { CallStatus } from '../../../domain/call-outcome';
import type { ApiDependencies } from '../../dependencies';
import { dialsSettled } from '../dials-settled';
import { callNotFound } from '../../http/errors/refusals';
import type { TemporalPort } from '../../dependencies/temporal-port';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'signalWorkflows'>;
};

export interface HungUpCall {
  callId: string;
  /**
   * Final for a call that was over or not dialled yet. One that the carrier has keeps its status of the moment: it ends within
   * seconds, as `cancelled` where nobody had picked up, else as `completed` or `voicemail`.
   */
  callStatus: CallStatus;
}

interface Target {
  callId: string;
  clientId: string;
  actor: Actor;
}

/**
 * Ends a call at a client's wish; one that is over stays as it ended. The wish stands in the row before any workflow is signalled, so it
 * holds although Temporal or the carrier is away: reconciliation repeats it. The contact of a campaign is not dialled again.
 */
export async function hangUp(deps: Dependencies, target: Target): Promise<HungUpCall> {
  let asked = await ask(deps, target);
  if (asked.isDialling) {
    // Nothing rings after the answer that did not ring before; asked again, the row says what came of it.
    await dialsSettled(deps, target);
    asked = await ask(deps, target);
  }
  return asked.call;
}

async function ask(
  { db, temporal, clock, log }: Dependencies,
  target: Target,
): Promise<{ call: HungUpCall; isDialling: boolean }> {
  const { callId } = target;
  const now = clock.now();
  // Nothing was dialled, so nothing is charged.
  const undialled = callEndOf(endedAt(now, 'cancelled'), 0);
  const result = await calls.hangUp(db, target, undialled, now);
  switch (result.kind) {
    case 'unknown':
      throw callNotFound();
    case 'over':
      return { call: { callId, callStatus: result.callStatus }, isDialling: false };
    case 'asked': {
      const { callStatus, isDialling } = result;
      await temporal.signalWorkflows({ granted: [], refillCampaignId: null, toHangUp: callId }, log);
      return { call: { callId, callStatus }, isDialling };
    }
    case 'ended': {
      const { granted, refillCampaignId } = result;
      const { callStatus } = undialled;
      await temporal.signalWorkflows({ granted, refillCampaignId, ended: { callId, callStatus } }, log);
      return { call: { callId, callStatus }, isDialling: false };
    }
  }
}
