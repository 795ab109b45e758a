/**
 * Judges a run after every step that can have broken something: the rows after each commit, the carrier's log with each call that it
 * places, all of it at the end. What is asked of the evidence is the fault tests' checker.
 */
import type { Client } from 'pg';
import { judge } from '../faults/checker';
import type { CarrierLine, Evidence } from '../faults/checker/evidence';
import { dialledOnce } from '../faults/checker/invariants/dialled-once';
import { redialDelay } from '../faults/checker/invariants/redial-delay';
import { silentAfterPause } from '../faults/checker/invariants/silent-after-pause';
import { withinLines } from '../faults/checker/invariants/within-lines';
import { withinWindow } from '../faults/checker/invariants/within-window';
import { leftOpen } from '../faults/checker/invariants/workflows-close';
import { readRows, type CallRow, type Rows } from '../faults/checker/rows';
import { runOf } from '../faults/checker/run';
import type { Course } from './course';
import { isoOf, START_MS, type Simulation } from './simulation';
import { ALWAYS_FAULTS } from './standing-invariants';

export interface Violation {
  /** Virtual milliseconds since the start; null for what is only known at the end. */
  atMs: number | null;
  /** `1. each attempt …` */
  sentence: string;
}

/** Those that a call which the carrier places can break. */
const OF_A_DIAL = [
  [1, dialledOnce],
  [2, withinLines],
  [3, withinWindow],
  [4, silentAfterPause],
  [7, redialDelay],
] as const;

const CALLS = `select k.call_id, k.client_id, k.campaign_id, ct.row_number as contact_row, k.to_number, k.stage, k.call_status, k.end_reason,
  k.callback_of is not null as is_callback, k.hang_up_asked_at is not null as hung_up
  from calls k left join contacts ct on ct.id = k.contact_id`;

export class Judge {
  readonly violations: Violation[] = [];
  private isAsked = false;

  constructor(
    private readonly run: Simulation,
    private readonly course: Course,
    private readonly client: Client,
  ) {
    run.postgres.onCommit = () => this.soon(() => this.judgeRows());
    run.onCarrierLine = ({ kind, direction }) => {
      if (kind === 'placed' && direction === 'outbound')
        run.scheduler.after(0, null, () => void this.judgeDials());
    };
  }

  /** Everything, with all that is known. */
  async judgeEnd(url: string): Promise<void> {
    const rows: Rows = { ...(await readRows(url)), read_at: isoOf(this.run.scheduler.nowMs) };
    // An error that nobody was to see has broken what was promised: a client has a 500, or a step is repeated for ever.
    for (const fault of this.run.productFaults) this.violations.push({ atMs: null, sentence: `8. ${fault}` });
    const known = new Set(this.violations.map(({ sentence }) => sentence));
    for (const { number, violations } of judge(this.evidence(rows), rows).invariants) {
      for (const violation of violations) {
        const sentence = `${number}. ${violation}`;
        if (!known.has(sentence)) this.violations.push({ atMs: null, sentence });
      }
    }
  }

  /** Once for all commits of an instant. */
  private soon(work: () => Promise<void>): void {
    if (this.isAsked) return;
    this.isAsked = true;
    this.run.scheduler.after(0, null, () => {
      this.isAsked = false;
      void work();
    });
  }

  private async judgeRows(): Promise<void> {
    // Within a transaction nothing is true yet; its commit asks again.
    if (this.run.postgres.isBusy) return;
    const statement = { name: 'always', text: ALWAYS_FAULTS };
    const { rows } = await this.run.scheduler.work(() => this.client.query<{ fault: string }>(statement));
    for (const { fault } of rows) this.found(`5. ${fault}`);
  }

  private async judgeDials(): Promise<void> {
    const statement = { name: 'calls', text: CALLS };
    const { rows: calls } = await this.run.scheduler.work(() => this.client.query<CallRow>(statement));
    const rows = { ...NO_ROWS, read_at: isoOf(this.run.scheduler.nowMs), calls };
    const run = runOf(this.evidence(rows), rows);
    for (const [number, violations] of OF_A_DIAL) {
      for (const violation of violations(run)) this.found(`${number}. ${violation}`);
    }
  }

  private found(sentence: string): void {
    if (this.violations.some((each) => each.sentence === sentence)) return;
    this.run.trace.note('judge', sentence);
    this.violations.push({ atMs: this.run.scheduler.nowMs - START_MS, sentence });
  }

  private evidence(rows: Rows): Evidence {
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
      campaigns: course.knownCampaigns(),
      clients: course.clients,
      openWorkflows: leftOpen(open, rows),
      replayFailures: run.taskFailures.map(({ workflowId, message }) => ({
        file: `${workflowId}: ${message}`,
        line: 0,
      })),
    };
  }
}

const NO_ROWS: Omit<Rows, 'read_at' | 'calls'> = {
  campaigns: [],
  contacts: [],
  deliveries: [],
  attempts: [],
};
