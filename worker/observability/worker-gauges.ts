import type { WorkerStatus } from '@temporalio/worker';
import { Gauge, type Registry } from 'prom-client';

/** Gauges of the SDK worker's own status. */
export function workerGauges(registry: Registry, status: () => WorkerStatus): void {
  const registers = [registry];
  new Gauge({
    name: 'voice_agent_worker_polling',
    help: '1 while this worker runs and asks Temporal for tasks of a kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      const now = status();
      const runs = now.runState === 'RUNNING';
      this.set({ kind: 'workflow' }, runs && now.workflowPollerState === 'POLLING' ? 1 : 0);
      this.set({ kind: 'activity' }, runs && now.activityPollerState === 'POLLING' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'voice_agent_worker_activities',
    help: 'Activities under way in this worker; most are local ones.',
    labelNames: ['kind'],
    registers,
    collect() {
      const now = status();
      this.set({ kind: 'local' }, now.numInFlightLocalActivities);
      this.set({ kind: 'regular' }, now.numInFlightNonLocalActivities);
    },
  });
  new Gauge({
    name: 'voice_agent_worker_cached_workflows',
    help: 'Workflows that this worker keeps in memory.',
    registers,
    collect() {
      this.set(status().numCachedWorkflows);
    },
  });
}
