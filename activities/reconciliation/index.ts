/**
 * Repairs what a crash between a transaction and the message about it left behind. Every repair is one that may be made twice: a
 * signal that was not lost after all, or a start of what runs already, changes nothing.
 */
import type { concludingActivities } from '../concluding';
import type { ReconcileInput } from '../../workflows/contract';
import type { ActivityDependencies } from '../dependencies';
import type { RepairPass } from '../metrics';
import type { settlingActivities } from '../settling';
import { repairCallers, repairUnheardCallers } from './callers';
import { repairCampaigns, repairRefills } from './campaigns';
import { countedRepair } from './counted';
import { repairDeliveries } from './deliveries';
import { repairEndedCalls } from './ended-calls';
import { repairHangUps } from './hang-ups';
import { renewInboundRoutes, repairInboundRoutes } from './inbound-routes';
import { AFTER_AN_OUTAGE, AS_A_RULE, type Lateness } from './lateness';
import { repairLeftOvers } from './left-overs';
import { repairMails } from './mails';
import { repairSilentCalls } from './silent-calls';
import { repairDispatches, repairFreeLines, repairLongWaits, repairUnusedLines } from './waiting-calls';

export type Repair = ActivityDependencies & { lateness: Lateness } & ReturnType<typeof settlingActivities> &
  ReturnType<typeof concludingActivities>;

const PASSES = [
  repairCallers,
  repairDispatches,
  repairUnusedLines,
  repairHangUps,
  repairSilentCalls,
  repairUnheardCallers,
  repairEndedCalls,
  repairLongWaits,
  repairFreeLines,
  repairCampaigns,
  repairRefills,
  repairDeliveries,
  repairMails,
  repairInboundRoutes,
  renewInboundRoutes,
  repairLeftOvers,
];

/** What keeps a line idle when it was missed. The others can wait for the next pass. */
const URGENT_PASSES = [
  repairCallers,
  repairDispatches,
  repairUnusedLines,
  repairHangUps,
  repairSilentCalls,
  repairEndedCalls,
  repairFreeLines,
  repairRefills,
];

export function reconcilingActivities(deps: Omit<Repair, 'lateness'>) {
  return {
    /** Each pass on its own: one that fails does not keep the others from their work. */
    async reconcile({ afterOutage }: ReconcileInput): Promise<void> {
      const repair = { ...deps, lateness: afterOutage ? AFTER_AN_OUTAGE : AS_A_RULE };
      const failures: unknown[] = [];
      for (const pass of afterOutage ? URGENT_PASSES : PASSES) {
        const counted: RepairPass = { pass: pass.name, run: afterOutage ? 'after_outage' : 'scheduled' };
        await pass(countedRepair(repair, counted)).catch((cause: unknown) => {
          deps.metrics.passFailed(counted);
          failures.push(new Error(`${pass.name} failed`, { cause }));
        });
      }
      deps.metrics.reconciled(deps.clock());
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be looked at');
    },
  };
}
