/**
 * Repairs the damage of a crash between a transaction and its signal. Every repair can be repeated, because a superfluous signal or start
 * changes nothing.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { askCatchUp, requestedCatchUps, withLock, removeCatchUps } from '../../db/reconciliation/lock';
import { withTimeout } from '../../runtime/network/time-limit';
import type { ReconcileInput } from '../../workflows/contract';
import type { ActivityDependencies } from '../dependencies';
import { resolvingActivities } from '../ending/resolving';
import type { RepairAction, RepairPass } from '../metrics';
import { wrapped } from '../telephony/wrapped';
import { CALL_PASSES } from './call-passes';
import { OTHER_PASSES } from './other-passes';
import { AFTER_AN_OUTAGE, ROUTINE, type Lateness, type Pass, type PassContext } from './pass';
import { WORKFLOW_PASSES } from './stuck-workflows';

/** Time limit of a pass, so that one unresponsive carrier doesn't delay the other passes. */
const PASS_MS = 10_000;
/** For this long, a run also handles new requests for a catch-up. The next run handles later requests. */
const RUN_MS = 30_000;
/** A run that takes longer loses its lock, so that another process can start one. */
const LOCK_MS = 120_000;

/** In the order in which a run executes them. */
export const PASSES: readonly Pass[] = [...CALL_PASSES, ...OTHER_PASSES, ...WORKFLOW_PASSES];

interface Run {
  run: RepairPass['run'];
  lateness: Lateness;
  passes: readonly Pass[];
}

const SCHEDULED_RUN: Run = { run: 'scheduled', lateness: ROUTINE, passes: PASSES };
const AFTER_OUTAGE_RUN: Run = {
  run: 'after_outage',
  lateness: AFTER_AN_OUTAGE,
  passes: PASSES.filter(({ isUrgent }) => isUrgent),
};

type Deps = ActivityDependencies & Pick<PassContext, 'leftOpen'>;

export function reconcilingActivities(given: ActivityDependencies) {
  const deps = { ...given, leftOpen: { checkedAt: -Infinity } };
  const { db, clock, log } = deps;
  /**
   * Only one run is active at a time per database. If another run is active, this one leaves a request for a catch-up to it and returns,
   * because the next scheduled run begins within ten seconds.
   */
  const runOnce = async (afterOutage: boolean): Promise<void> => {
    const until = performance.now() + RUN_MS;
    const failures: unknown[] = [];
    let isScheduled = !afterOutage;
    if (afterOutage) await askCatchUp(db, clock());
    do {
      const run = async (keepsLock: () => Promise<void>): Promise<void> => {
        const asked = await requestedCatchUps(db);
        if (asked.length > 0) {
          await makePasses(deps, AFTER_OUTAGE_RUN, { keepsLock, failures });
          await removeCatchUps(db, asked);
        }
        if (isScheduled) await makePasses(deps, SCHEDULED_RUN, { keepsLock, failures });
        isScheduled = false;
        deps.metrics.reconciled(clock());
      };
      const hadLock = await withLock(db, (keepsLock) => withTimeout(LOCK_MS, run(keepsLock), lostLock));
      if (!hadLock) {
        log.info({ after_outage: afterOutage }, 'another reconciliation is running');
        return;
      }
      // Check again, because a rejected run may have requested a catch-up before this run released its lock.
    } while (performance.now() < until && (await requestedCatchUps(db)).length > 0);
    if (failures.length > 0) throw new AggregateError(failures, 'some reconciliation passes failed');
  };
  return {
    /** @throws ApplicationFailure `RunsAgain` after each run but the last, so that Temporal retries the activity */
    async reconcile({ afterOutage, runs = 1 }: ReconcileInput): Promise<void> {
      await runOnce(afterOutage);
      if (runs > 1 && Context.current().info.attempt < runs) throw runsAgain();
    },
  };
}

/** Benign, because the SDK then writes no warning. */
const runsAgain = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'RunsAgain',
    message: 'this run is over, and the next one follows',
    category: ApplicationFailureCategory.BENIGN,
  });

function lostLock(): never {
  throw new Error('reconciliation took too long and lost its lock');
}

/** Runs all passes, even if some fail. */
async function makePasses(
  deps: Deps,
  { run, lateness, passes }: Run,
  { keepsLock, failures }: { keepsLock: () => Promise<void>; failures: unknown[] },
): Promise<void> {
  for (const { name, run: makePass } of passes) {
    await keepsLock();
    const until = performance.now() + PASS_MS;
    const hasTime = (): boolean => performance.now() < until;
    const labels: RepairPass = { pass: name, run };
    const counted = countedDependencies(deps, labels);
    const context = {
      ...counted,
      ...resolvingActivities(counted),
      startedAt: deps.clock(),
      lateness,
      hasTime,
    };
    await makePass(context).catch((cause: unknown) => {
      deps.metrics.passFailed(labels);
      failures.push(new Error(`${name} failed`, { cause }));
    });
    if (!hasTime()) deps.log.warn({ ...labels }, 'a pass took too long: the rest is left to the next run');
  }
}

/** Counts the successful actions of a pass for its metrics, except look-ups. */
function countedDependencies(deps: Deps, pass: RepairPass): Deps {
  const { metrics, workflows, signals, telephony } = deps;
  const did = (action: RepairAction): void => metrics.repaired(pass, action);
  return {
    ...deps,
    metrics: {
      ...metrics,
      callEnded(end) {
        metrics.callEnded(end);
        did('ended');
      },
      processed(seconds) {
        metrics.processed(seconds);
        did('processed');
      },
    },
    workflows: {
      ...workflows,
      async startOnce(...args) {
        await workflows.startOnce(...args);
        did('started');
      },
    },
    telephony: wrapped(telephony, async (operation, request) => {
      const answer = await request();
      if (operation === 'hangUp') did('hung_up');
      return answer;
    }),
    signals: {
      getHandle: (id) => ({
        async signal(name, ...args) {
          await signals.getHandle(id).signal(name, ...args);
          did('signalled');
        },
      }),
    },
  };
}
