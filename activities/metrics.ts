import type { SetupFault } from '../domain/brakes';
import type { AnalysisMethod } from '../domain/analysis/types';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DialTimes } from '../db/calls/engine';
import { callMetrics, type CallMetrics } from '../runtime/observability/call-metrics';

/** What a pass of the reconciliation did about something overdue. */
export type RepairAction = 'started' | 'signalled' | 'ended' | 'hung_up' | 'processed';

export interface RepairPass {
  pass: string;
  /** An ordinary pass finds what was lost; one after an outage looks at all that is under way, lost or not. */
  run: 'scheduled' | 'after_outage';
}

/** What activities count. Kept apart from what is counted around them: requests, attempts, durations. */
export interface ActivityMetrics extends CallMetrics {
  /** Of a call that the carrier has taken; one whose row is gone is not counted. */
  dialled(times: DialTimes | undefined): void;
  /** By the carrier, for its load or a fault of its set-up. */
  dialRefused(reason: 'bridge_busy' | SetupFault): void;
  /** Once for each call, when its record and its webhook are written. */
  processed(seconds: number): void;
  /** Once for each call that was answered, by what found its findings. */
  analysed(method: AnalysisMethod): void;
  repaired(pass: RepairPass, action: RepairAction): void;
  passFailed(pass: RepairPass): void;
  /** All passes of a run have been made, whatever came of them. */
  reconciled(now: number): void;
}

const LAG_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

export function activityMetrics(registry: Registry): ActivityMetrics {
  return { ...callMetrics(registry), ...dialMetrics(registry), ...repairMetrics(registry) };
}

const secondsBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000;

function dialMetrics(
  registry: Registry,
): Pick<ActivityMetrics, 'dialled' | 'dialRefused' | 'processed' | 'analysed'> {
  const registers = [registry];
  const fromLine = new Histogram({
    name: 'voice_agent_line_to_dial_seconds',
    help: 'From the grant of a line to the request to the carrier: how long lines stand idle. Paced dials wait here too.',
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const fromDue = new Histogram({
    name: 'voice_agent_due_to_dial_seconds',
    help: 'From the instant at which a call fell due to the request to the carrier. It waits for a free line and its window here.',
    labelNames: ['kind'],
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const processing = new Histogram({
    name: 'voice_agent_post_processing_seconds',
    help: 'From the end of a call until its record and its webhook are written.',
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const analyses = new Counter({
    name: 'voice_agent_call_analyses_total',
    help: 'Answered calls that were analysed, by method: model, or rules where none is configured or it did not answer.',
    labelNames: ['method'],
    registers,
  });
  const refused = new Counter({
    name: 'voice_agent_dials_refused_total',
    help: 'Dials that the carrier refused for its load (bridge_busy: the SIP bridge) or for a fault of its set-up, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    dialRefused: (reason) => refused.inc({ reason }),
    analysed: (method) => analyses.inc({ method }),
    dialled(times) {
      const { askedAt = null, lineGrantedAt = null, dueAs = null, dueAt = null } = times ?? {};
      if (askedAt === null) return;
      if (lineGrantedAt !== null) fromLine.observe(secondsBetween(lineGrantedAt, askedAt));
      if (dueAs !== null && dueAt !== null) fromDue.observe({ kind: dueAs }, secondsBetween(dueAt, askedAt));
    },
    processed: (seconds) => processing.observe(Math.max(0, seconds)),
  };
}

function repairMetrics(registry: Registry): Pick<ActivityMetrics, 'repaired' | 'passFailed' | 'reconciled'> {
  const registers = [registry];
  const repairs = new Counter({
    name: 'voice_agent_reconciliation_repairs_total',
    help: 'What reconciliation did about something overdue, by pass.',
    labelNames: ['pass', 'run', 'action'],
    registers,
  });
  const failures = new Counter({
    name: 'voice_agent_reconciliation_failures_total',
    help: 'Passes of the reconciliation that could not be made to their end.',
    labelNames: ['pass', 'run'],
    registers,
  });
  const last = new Gauge({
    name: 'voice_agent_reconciliation_last_run_timestamp_seconds',
    help: 'When this worker last ended a run of the reconciliation, as Unix time.',
    registers,
  });
  return {
    repaired: ({ pass, run }, action) => repairs.inc({ pass, run, action }),
    passFailed: ({ pass, run }) => failures.inc({ pass, run }),
    reconciled: (now) => last.set(now / 1000),
  };
}
