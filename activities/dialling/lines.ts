import * as calls from '../../db/calls/engine';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { workflowTimeNow } from '../local-activity';
import type { ActivityDependencies } from '../dependencies';

export function lineActivities(deps: ActivityDependencies) {
  const { db, signals, log, clock } = deps;
  return {
    /** Queues a dispatched call for a line. */
    requestLine: async (input: {
      callId: string;
      organizationId: string;
      now: number;
    }): Promise<{ granted: boolean }> => {
      const decision = await calls.registerWaiting(
        db,
        input.organizationId,
        [input.callId],
        workflowTimeNow(input.now, clock),
      );
      const others = decision.granted.filter((callId) => callId !== input.callId);
      await signalWorkflows(signals, log, { ...decision, granted: others });
      // Check the stage, not the decision. An earlier run may have got the line, or may have dialled before an operator reset the workflow.
      const stage = (await calls.callState(db, input.callId))?.stage;
      return { granted: stage !== undefined && stage !== 'waiting' };
    },
  };
}
