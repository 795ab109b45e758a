/**
 * Repairs what a crash between a transaction and its signal left behind. Every repair can be repeated, because a superfluous signal or start
 * changes nothing.
 */
import { askCatchUp, askedCatchUps, withLock, removeCatchUps } from '../../db/reconciliation/lock';
import type { ReconcileInput } from '../../workflows/contract';
import type { RepairPass } from '../metrics';
import { repairCallers, repairUnconfirmedCallers } from './callers';
import { repairCampaigns, repairRefills } from './campaigns';
import { countedRepair } from './counted';
import { repairDeliveries } from './deliveries';
import { repairEndedCalls } from './ended-calls';
import { repairHangUps } from './hang-ups';
import { renewInboundRoutes, repairInboundRoutes } from './inbound-routes';
import { AFTER_AN_OUTAGE, AS_A_RULE, type Lateness } from './lateness';
import { repairLeftOvers } from './left-overs';
import { repairMails } from './mails';
import type { Repair } from './repair';
import { repairSilentCalls } from './silent-calls';
import { repairOrphanedCalls } from './orphaned-calls';
import { repairStuckWorkflows, reportLeftOpen } from './stuck-workflows';
import { repairDispatches, repairFreeLines, repairLongWaits, repairUnusedLines } from './waiting-calls';

type Deps = Omit<Repair, 'lateness' | 'hasTime' | 'deleteRoom'>;

const PASSES = [
  repairCallers,
  repairDispatches,
  repairUnusedLines,
  repairHangUps,
  repairOrphanedCalls,
  repairSilentCalls,
  repairUnconfirmedCallers,
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
  repairStuckWorkflows,
  reportLeftOpen,
];

/** Passes after an outage: those whose delay would keep lines idle. */
const URGENT_PASSES = [
  repairCallers,
  repairDispatches,
  repairUnusedLines,
  repairHangUps,
  repairOrphanedCalls,
  repairSilentCalls,
  repairEndedCalls,
  repairFreeLines,
  repairRefills,
];

/** Time limit of a pass, so that one unresponsive carrier does not delay the other passes. */
const PASS_MS = 10_000;
/** Time within which a run also handles new requests for a catch-up. Later ones are left to the next run. */
const RUN_MS = 30_000;

export function reconcilingActivities(given: Omit<Deps, 'leftOpen'>) {
  const deps = { ...given, leftOpen: { lookedAt: -Infinity } };
  const { db, clock, log } = deps;
  return {
    /**
     * Runs only once at a time per database. If another run is active, it leaves the catch-up to that run, or does nothing because the schedule
     * starts the next run in ten seconds.
     */
    async reconcile({ afterOutage }: ReconcileInput): Promise<void> {
      const until = performance.now() + RUN_MS;
      const failures: unknown[] = [];
      let isScheduled = !afterOutage;
      if (afterOutage) await askCatchUp(db, clock());
      do {
        const hadLock = await withLock(db, async (keepsLock) => {
          const asked = await askedCatchUps(db);
          if (asked.length > 0) {
            await makePasses(deps, AFTER_OUTAGE_RUN, { keepsLock, failures });
            await removeCatchUps(db, asked);
          }
          if (isScheduled) await makePasses(deps, SCHEDULED_RUN, { keepsLock, failures });
          isScheduled = false;
          deps.metrics.reconciled(clock());
        });
        if (!hadLock) {
          log.info({ after_outage: afterOutage }, 'another reconciliation is running');
          return;
        }
        // Look again, because a rejected run may have requested a catch-up before this run released its lock.
      } while (performance.now() < until && (await askedCatchUps(db)).length > 0);
      if (failures.length > 0) throw new AggregateError(failures, 'some reconciliation passes failed');
    },
  };
}

interface Run {
  run: RepairPass['run'];
  lateness: Lateness;
  passes: readonly ((repair: Repair) => Promise<void>)[];
}

const SCHEDULED_RUN: Run = { run: 'scheduled', lateness: AS_A_RULE, passes: PASSES };
const AFTER_OUTAGE_RUN: Run = { run: 'after_outage', lateness: AFTER_AN_OUTAGE, passes: URGENT_PASSES };

/** Runs all passes, even if some fail. */
async function makePasses(
  deps: Deps,
  { run, lateness, passes }: Run,
  { keepsLock, failures }: { keepsLock: () => Promise<void>; failures: unknown[] },
): Promise<void> {
  const deleteRoom = async (carrierId: string): Promise<void> => {
    await deps.telephony.hangUp(carrierId);
  };
  for (const pass of passes) {
    await keepsLock();
    const until = performance.now() + PASS_MS;
    const hasTime = (): boolean => performance.now() < until;
    const counted: RepairPass = { pass: pass.name, run };
    await pass(countedRepair({ ...deps, lateness, hasTime, deleteRoom }, counted)).catch((cause: unknown) => {
      deps.metrics.passFailed(counted);
      failures.push(new Error(`${pass.name} failed`, { cause }));
    });
    if (!hasTime()) deps.log.warn({ ...counted }, 'a pass took too long: the rest is left to the next run');
  }
}
