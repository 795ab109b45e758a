import type { SetupFault } from '../domain/breakers';
import type { AnalysisMethod } from '../domain/analysis/types';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DialTimes } from '../db/calls/engine';
import { callMetrics, type CallMetrics } from '../runtime/observability/call-metrics';

/** Action of a reconciliation pass on an overdue item. */
export type RepairAction = 'started' | 'signalled' | 'ended' | 'hung_up' | 'processed';

export interface RepairPass {
  pass: string;
  /** A scheduled run checks overdue items. A run after an outage checks everything in progress. */
  run: 'scheduled' | 'after_outage';
}

/** Metrics that activities record. */
export interface ActivityMetrics extends CallMetrics {
  /** Called for each call that the carrier has accepted. `times` is undefined if the row is gone. */
  dialled(times: DialTimes | undefined): void;
  /** Called when the carrier rejects a dial because of its load or because of a setup fault. */
  dialRefused(reason: 'bridge_busy' | SetupFault): void;
  /** Called once per call, when its record and its webhook are written. */
  processed(seconds: number): void;
  /** Called once per answered call. */
  analysed(method: AnalysisMethod): void;
  repaired(pass: RepairPass, action: RepairAction): void;
  passFailed(pass: RepairPass): void;
  /** Called after all passes of a run, successful or not. */
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
    help: 'Time from the grant of a line to the request to the carrier, during which the line is idle. Includes the pacing of dials.',
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const fromDue = new Histogram({
    name: 'voice_agent_due_to_dial_seconds',
    help: 'Time from the instant at which a call is due to the request to the carrier. Includes waiting for a free line and the window.',
    labelNames: ['kind'],
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const processing = new Histogram({
    name: 'voice_agent_post_processing_seconds',
    help: 'Time from the end of a call until its record and its webhook are written.',
    buckets: LAG_BUCKETS_S,
    registers,
  });
  const analyses = new Counter({
    name: 'voice_agent_call_analyses_total',
    help: 'Analysed calls by method: model, or rules if no model is configured or the model did not respond.',
    labelNames: ['method'],
    registers,
  });
  const refused = new Counter({
    name: 'voice_agent_dials_refused_total',
    help: 'Dials that the carrier rejected because of its load (bridge_busy: the SIP bridge) or a setup fault, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    dialRefused: (reason) => refused.inc({ reason }),
    analysed: (method) => analyses.inc({ method }),
    dialled(times) {
      const { requestedAt = null, lineGrantedAt = null, dueAs = null, dueAt = null } = times ?? {};
      if (requestedAt === null) return;
      if (lineGrantedAt !== null) fromLine.observe(secondsBetween(lineGrantedAt, requestedAt));
      if (dueAs !== null && dueAt !== null)
        fromDue.observe({ kind: dueAs }, secondsBetween(dueAt, requestedAt));
    },
    processed: (seconds) => processing.observe(Math.max(0, seconds)),
  };
}

function repairMetrics(registry: Registry): Pick<ActivityMetrics, 'repaired' | 'passFailed' | 'reconciled'> {
  const registers = [registry];
  const repairs = new Counter({
    name: 'voice_agent_reconciliation_repairs_total',
    help: 'Repairs of reconciliation, by pass and action.',
    labelNames: ['pass', 'run', 'action'],
    registers,
  });
  const failures = new Counter({
    name: 'voice_agent_reconciliation_failures_total',
    help: 'Passes of reconciliation that failed.',
    labelNames: ['pass', 'run'],
    registers,
  });
  const last = new Gauge({
    name: 'voice_agent_reconciliation_last_run_timestamp_seconds',
    help: "Unix time of the end of this worker's last reconciliation run.",
    registers,
  });
  return {
    repaired: ({ pass, run }, action) => repairs.inc({ pass, run, action }),
    passFailed: ({ pass, run }) => failures.inc({ pass, run }),
    reconciled: (now) => last.set(now / 1000),
  };
}
