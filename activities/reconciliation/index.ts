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
import { repairHangUps } from './hang-ups';
import { repairSilentCalls } from './silent-calls';
import { repairDispatches, repairFreeLines, repairLongWaits, repairUnusedLines } from './waiting-calls';

export type Repair = ActivityDependencies &
  ReturnType<typeof settlingActivities> &
  ReturnType<typeof concludingActivities>;

const PASSES = [
  repairDispatches,
  repairUnusedLines,
  repairHangUps,
  repairSilentCalls,
  repairEndedCalls,
  repairLongWaits,
  repairFreeLines,
  repairCampaigns,
  repairRefills,
  repairDeliveries,
];

export function reconcilingActivities(repair: Repair) {
  return {
    /** Each pass on its own: one that fails does not keep the others from their work. */
    async reconcile(): Promise<void> {
      const failures: unknown[] = [];
      for (const pass of PASSES) {
        await pass(repair).catch((cause: unknown) =>
          failures.push(new Error(`${pass.name} failed`, { cause })),
        );
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be looked at');
    },
  };
}
