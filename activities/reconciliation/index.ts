/**
 * Repairs what a crash between a transaction and the message about it left behind. Every repair is one that may be made twice: a
 * signal that was not lost after all, or a start of what runs already, changes nothing.
 */
import type { concludingActivities } from '../concluding';
import type { ActivityDependencies } from '../dependencies';
import type { settlingActivities } from '../settling';
import { repairCampaigns, repairRefills } from './campaigns';
import { repairDeliveries } from './deliveries';
import { repairEndedCalls } from './ended-calls';
import { repairSilentCalls } from './silent-calls';
import { repairDispatches, repairFreeLines, repairLongWaits, repairUnusedLines } from './waiting-calls';

export type Repair = ActivityDependencies &
  ReturnType<typeof settlingActivities> &
  ReturnType<typeof concludingActivities>;

export function reconcilingActivities(repair: Repair) {
  return {
    async reconcileCalls(): Promise<void> {
      await repairDispatches(repair);
      await repairUnusedLines(repair);
      await repairSilentCalls(repair);
      await repairEndedCalls(repair);
      await repairLongWaits(repair);
      await repairFreeLines(repair);
    },

    async reconcileCampaigns(): Promise<void> {
      await repairCampaigns(repair);
      await repairRefills(repair);
    },

    reconcileDeliveries: (): Promise<void> => repairDeliveries(repair),
  };
}
