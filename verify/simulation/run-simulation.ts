/** Runs one seed from its plan to its verdict. */
import { Course } from './course';
import { Judge, type Violation } from './judge';
import type { SimulationPlan } from './plan/plan';
import type { Laboratory } from './postgres/laboratory';
import { Simulation } from './simulation';
import { installVirtualGlobals } from './time/virtual-globals';
import type { TraceLine } from './world';

export interface SimulationResult {
  seed: number;
  violations: Violation[];
  fingerprint: string;
  virtualMs: number;
  realMs: number;
  steps: number;
  statements: number;
  dials: number;
  story: TraceLine[];
}

/** Covers reconciliation, the usual redials and the attempts of a webhook in sequence. */
const DRAINED_WITHIN_MS = 420_000;
/** Also covers the gaps between the attempts of all campaigns to a number. */
const DRAINED_WITH_RULES_WITHIN_MS = 900_000;
const CHECK_EVERY_MS = 1_000;

/** A named statement, because planning it each second took longer than running it. */
const REMAINING = {
  name: 'remaining',
  text: `select
  (select count(*) from campaigns where status not in ('completed', 'cancelled')) as campaigns,
  (select coalesce(array_agg(id::text), '{}') from campaigns where status = 'paused') as paused,
  (select count(*) from calls where stage <> 'over' or concluded_at is null) as calls,
  (select count(*) from webhook_deliveries where status = 'pending') as deliveries`,
};

interface Remaining {
  campaigns: number;
  paused: string[];
  calls: number;
  deliveries: number;
}

export async function runSimulation(laboratory: Laboratory, plan: SimulationPlan): Promise<SimulationResult> {
  await laboratory.reset();
  const run = new Simulation(laboratory, plan);
  const course = new Course(run);
  const judge = new Judge(run, course, laboratory.client);
  const startedAt = performance.now();
  const restore = installVirtualGlobals({
    scheduler: run.scheduler,
    random: run.random,
    offsetOf: (name) => run.offsetOf(name),
  });
  try {
    course.begin();
    const lastMs = Math.max(
      0,
      ...plan.happenings.map(({ atMs }) => atMs),
      ...plan.campaigns.map((c) => c.createdAtMs),
    );
    const hasRules = plan.campaigns.some(({ rules }) => rules !== undefined);
    const drainedMs = hasRules ? DRAINED_WITH_RULES_WITHIN_MS : DRAINED_WITHIN_MS;
    await play(laboratory, run, course, plan.startMs + lastMs + drainedMs);
  } finally {
    restore();
  }
  await judge.judgeEnd(laboratory.url);
  return {
    seed: plan.seed,
    violations: judge.violations,
    fingerprint: run.trace.fingerprint(),
    virtualMs: run.scheduler.nowMs - plan.startMs,
    realMs: performance.now() - startedAt,
    steps: run.scheduler.steps,
    statements: run.postgres.statements,
    dials: run.carrier.entries.filter(({ kind }) => kind === 'placed').length,
    story: run.trace.lines,
  };
}

/** Runs until everything has ended or the time is up. */
async function play(laboratory: Laboratory, run: Simulation, course: Course, untilMs: number): Promise<void> {
  let isOver = false;
  const look = async (): Promise<void> => {
    if (course.isPlayed) {
      const { rows } = await run.scheduler.work(() => laboratory.client.query<Remaining>(REMAINING));
      const [left] = rows;
      if (left !== undefined) {
        for (const campaignId of left.paused) course.do(0, () => course.resume(campaignId));
        const isIdle = run.server.open().every(({ type }) => type === 'reconcileWorkflow');
        isOver = left.campaigns + left.calls + left.deliveries === 0 && isIdle;
      }
    }
    run.scheduler.after(CHECK_EVERY_MS, null, () => void look());
  };
  run.scheduler.after(CHECK_EVERY_MS, null, () => void look());
  await run.scheduler.run(() => isOver, untilMs);
}
