import type { RepairAction, RepairPass } from '../metrics';
import type { Repair } from './repair';

/** Counts the successful actions of a repair for the metrics of its pass. Looking something up does not count. */
export function countedRepair(repair: Repair, pass: RepairPass): Repair {
  const { metrics, workflows, signals } = repair;
  const did = (action: RepairAction): void => metrics.repaired(pass, action);
  return {
    ...repair,
    metrics: {
      ...metrics,
      callEnded(end) {
        metrics.callEnded(end);
        did('ended');
      },
    },
    workflows: {
      ...workflows,
      async startOnce(...args) {
        await workflows.startOnce(...args);
        did('started');
      },
    },
    signals: {
      getHandle: (id) => ({
        async signal(name, ...args) {
          await signals.getHandle(id).signal(name, ...args);
          did('signalled');
        },
      }),
    },
    ...countedSteps(repair, did),
  };
}

/** These activities have dependencies of their own, so their actions are counted separately. */
function countedSteps(
  repair: Repair,
  did: (action: RepairAction) => void,
): Pick<
  Repair,
  'deleteRoom' | 'concludeCall' | 'stopCall' | 'resolveCall' | 'resolveOrphanedCall' | 'lookUpSilentCall'
> {
  return {
    async deleteRoom(carrierId) {
      await repair.deleteRoom(carrierId);
      did('hung_up');
    },
    async concludeCall(input) {
      const conclusion = await repair.concludeCall(input);
      did('processed');
      return conclusion;
    },
    async stopCall(input) {
      const callStatus = await repair.stopCall(input);
      did(callStatus === null ? 'hung_up' : 'ended');
      return callStatus;
    },
    async resolveCall(input) {
      const callStatus = await repair.resolveCall(input);
      if (callStatus !== null) did('ended');
      return callStatus;
    },
    async resolveOrphanedCall(call) {
      const callStatus = await repair.resolveOrphanedCall(call);
      if (callStatus !== null) did('ended');
      return callStatus;
    },
    async lookUpSilentCall(callId) {
      const callStatus = await repair.lookUpSilentCall(callId);
      if (callStatus !== null) did('ended');
      return callStatus;
    },
  };
}
