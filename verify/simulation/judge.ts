/**
 * Checks a run after each step that could violate an invariant: rows after each commit, the carrier's log after each placed call,
 * deliveries after each request to a receiver, acknowledgements after each commit and response, and everything at the end. The checks are
 * those of the fault tests' checker.
 */
import type { Client } from 'pg';
import { judge } from '../faults/checker';
import type { CampaignRecord, CarrierLine, Evidence } from '../faults/checker/evidence';
import { acknowledgedKept } from '../faults/checker/invariants/acknowledged-kept';
import { delivered } from '../faults/checker/invariants/deliveries';
import {
  dialledOnce,
  redialDelay,
  silentAfterPause,
  withinLines,
  withinWindow,
} from '../faults/checker/invariants/dials';
import { oneCallPerNumber, withinRules } from '../faults/checker/invariants/rules';
import { leftOpen, workflowsClose } from '../faults/checker/invariants/workflows-close';
import { READ, readRows, type Rows } from '../faults/checker/rows';
import { type Run, runOf } from '../faults/checker/run';
import type { Course } from './course';
import { type Claim, CLAIMS, Shares } from './shares';
import { isoOf, type Simulation } from './simulation';
import { ALWAYS_FAULTS, CHANGED_ENDS } from './standing-invariants';

export interface Violation {
  /** Virtual milliseconds since the start; null for a violation that was found at the end. */
  atMs: number | null;
  /** For example `1. each attempt …`. */
  sentence: string;
}

/** Invariants that a placed call can violate. */
const OF_A_DIAL = [
  [1, dialledOnce],
  [2, withinLines],
  [2, oneCallPerNumber],
  [3, withinWindow],
  [3, withinRules],
  [4, silentAfterPause],
  [7, redialDelay],
] as const;

/**
 * Digest of everything that was acknowledged. The judge checks acknowledgements only when the digest changes, because other rows change
 * several times per call.
 */
const KEPT = `select 'kept' as what, md5(jsonb_build_array(
  (select jsonb_agg(jsonb_build_array(id, status, from_date, to_date, start_minute, end_minute, days_of_week, max_attempts, retry_delay_mins,
    concurrency) order by id) from campaigns),
  (select count(*) from contacts), (select count(*) from calls where campaign_id is null))::text) as said`;

const NOW = `select 'fault' as what, fault as said from (${ALWAYS_FAULTS} union all ${CHANGED_ENDS}) wrong union all ${KEPT}
  union all select 'claims', jsonb_agg(jsonb_build_object('key', key, 'organization', organization_id, 'what', what, 'due', (extract(epoch from due) * 1000)::float8))::text
    from (${CLAIMS}) claims`;

/** Interval at which the judge checks for long waits, which no step reveals. */
const CHECK_EVERY_MS = 1_000;

interface Said {
  what: 'fault' | 'kept' | 'claims';
  said: string | null;
}

/** Parts of the rows that a check reads. It treats the others as empty. */
type Part = 'campaigns' | 'contacts' | 'calls' | 'deliveries' | 'attempts';

export class Judge {
  readonly violations: Violation[] = [];
  private readonly asked = new Set<() => Promise<void>>();
  /** Last judged value of `KEPT`. */
  private kept = '';
  private readonly shares: Shares;

  constructor(
    private readonly run: Simulation,
    private readonly course: Course,
    private readonly client: Client,
  ) {
    this.shares = new Shares(run);
    void this.checkShares();
    run.postgres.onCommit = () => this.soon(this.judgeRows);
    course.onAnswer = (line) => {
      this.foundAll(9, this.shares.unanswered(line));
      this.soon(this.judgeKept);
    };
    run.receiver.onLine = () => this.soon(this.judgeDeliveries);
    run.onProductFault = () => this.judgeProduct();
    run.onCarrierLine = ({ kind, direction }) => {
      if (kind === 'placed' && direction === 'outbound') this.soon(this.judgeDials);
    };
  }

  /** Judges the complete run. */
  async judgeEnd(url: string): Promise<void> {
    const rows: Rows = { ...(await readRows(url)), read_at: isoOf(this.run.scheduler.nowMs) };
    const evidence = this.evidence(rows, this.course.knownCampaigns());
    const known = new Set(this.violations.map(({ sentence }) => sentence));
    for (const { number, violations } of judge(evidence, rows).invariants) {
      for (const violation of violations) {
        const sentence = `${number}. ${violation}`;
        if (!known.has(sentence)) this.violations.push({ atMs: null, sentence });
      }
    }
  }

  /** Runs the work once for all steps at the same moment. */
  private soon(work: () => Promise<void>): void {
    if (this.asked.has(work)) return;
    this.asked.add(work);
    this.run.scheduler.after(0, null, () => {
      this.asked.delete(work);
      void work();
    });
  }

  private readonly judgeRows = async (): Promise<void> => {
    // Skips rows inside an open transaction. Its commit triggers the judge again.
    if (this.run.postgres.isBusy) return;
    const now = [isoOf(this.run.scheduler.nowMs)];
    for (const { what, said } of await this.read<Said>('now', NOW, now)) {
      if (what === 'fault') this.found(`5. ${said}`);
      else if (what === 'claims') this.shares.observe(JSON.parse(said ?? '[]') as Claim[]);
      else if (said !== this.kept) {
        this.kept = said ?? '';
        await this.judgeKept();
      }
    }
  };

  private readonly judgeDials = async (): Promise<void> => {
    const run = await this.runWith(['calls'], this.course.knownCampaigns());
    for (const [number, violations] of OF_A_DIAL) this.foundAll(number, violations(run));
  };

  /** Leaves out campaigns, so that the checker doesn't expect events about their end yet. */
  private readonly judgeDeliveries = async (): Promise<void> => {
    this.foundAll(6, delivered(await this.runWith(['deliveries', 'attempts'], [])));
  };

  private readonly judgeKept = async (): Promise<void> => {
    if (this.run.postgres.isBusy) return;
    const run = await this.runWith(['campaigns', 'contacts', 'calls'], this.course.acknowledgedCampaigns());
    // An acknowledged call must be over only at the end. Until then, it only has to exist.
    const calls = run.rows.calls.map((call) => ({ ...call, stage: 'over' }));
    this.foundAll(8, acknowledgedKept({ ...run, rows: { ...run.rows, calls } }));
  };

  /** An unexpected error is a violation, because a client gets a 500 or a step is retried forever. */
  private judgeProduct(): void {
    this.foundAll(8, this.run.productFaults);
    this.foundAll(10, this.run.failedWorkflows);
    const nothing = { ...NO_ROWS, read_at: isoOf(this.run.scheduler.nowMs) };
    this.foundAll(10, workflowsClose(runOf(this.evidence(nothing, []), nothing)));
  }

  private async runWith(parts: readonly Part[], campaigns: CampaignRecord[]): Promise<Run> {
    const rows: Rows = { ...NO_ROWS, read_at: isoOf(this.run.scheduler.nowMs) };
    for (const part of parts) Object.assign(rows, { [part]: await this.read(part, READ[part]) });
    return runOf(this.evidence(rows, campaigns), rows);
  }

  private async checkShares(): Promise<void> {
    const late = (): string[] => this.shares.late(this.course.organizations.map(({ id }) => id));
    // A claim from the last commit may have become invalid, because a window closes without a commit.
    if (late().length > 0 && !this.run.postgres.isBusy) {
      await this.judgeRows();
      this.foundAll(9, late());
    }
    this.run.scheduler.after(CHECK_EVERY_MS, null, () => void this.checkShares());
  }

  private async read<Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.run.scheduler.work(() => this.client.query<Row>({ name, text, values }))).rows;
  }

  private foundAll(number: number, violations: readonly string[]): void {
    for (const violation of violations) this.found(`${number}. ${violation}`);
  }

  private found(sentence: string): void {
    if (this.violations.some((each) => each.sentence === sentence)) return;
    this.run.trace.note('judge', sentence);
    this.violations.push({ atMs: this.run.scheduler.nowMs - this.run.plan.startMs, sentence });
  }

  private evidence(rows: Rows, campaigns: CampaignRecord[]): Evidence {
    const { run, course } = this;
    const open = run.server.open().map(({ workflowId, type }) => ({ workflow_id: workflowId, type }));
    const carrier = run.carrier.entries.map((entry, index) => ({ ...entry, line: index + 1 }));
    return {
      carrier: carrier.filter(({ kind }) => kind !== 'route') as (CarrierLine & { line: number })[],
      receiver: run.receiver.lines,
      clock: run.clocks,
      requests: course.requests,
      faults: run.faults,
      restarts: run.restarts,
      campaigns,
      organizations: course.organizations,
      openWorkflows: leftOpen(open, rows),
      replayFailures: run.taskFailures.map(({ workflowId, message }) => ({
        file: `${workflowId}: ${message}`,
        line: 0,
      })),
    };
  }
}

const NO_ROWS: Omit<Rows, 'read_at'> = {
  campaigns: [],
  contacts: [],
  calls: [],
  deliveries: [],
  attempts: [],
};
