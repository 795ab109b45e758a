import { CompleteAsyncError } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Times every run of an activity, local or not, including failed ones. A rejected webhook fails on purpose. */
export function activityTimer(registry: Registry): ActivityInterceptorsFactory {
  const registers = [registry];
  const durations = new Histogram({
    name: 'voice_agent_activity_duration_seconds',
    help: 'How long one run of an activity took.',
    labelNames: ['activity'],
    buckets: BUCKETS_S,
    registers,
  });
  const failures = new Counter({
    name: 'voice_agent_activity_failures_total',
    help: 'Runs of an activity that failed.',
    labelNames: ['activity'],
    registers,
  });
  return ({ info: { activityType: activity } }) => ({
    inbound: {
      async execute(input, next) {
        const end = durations.startTimer({ activity });
        try {
          return await next(input);
        } catch (error) {
          if (!(error instanceof CompleteAsyncError)) failures.inc({ activity });
          throw error;
        } finally {
          end();
        }
      },
    },
  });
}
