/** The worker process: the production activities on simulated links. */
import { createActivities } from '../../../activities';
import { briefWaits } from '../../../activities/brief-waits';
import { DirectDials } from '../../../activities/dialling/direct-dials';
import type { WebhookSender } from '../../../activities/delivering/sender';
import type { ActivityDependencies } from '../../../activities/dependencies';
import { type Fetch, httpCarrier } from '../../../activities/telephony/http/http-carrier';
import type { Telephony } from '../../../activities/telephony/port';
import { CatchUp } from '../../../runtime/catch-up';
import { workflowStarter } from '../../../worker/workflow-starter';
import type { CreateActivities } from '../changed-activities';
import { openSimulated, type SimulatedPostgres } from '../postgres/simulated-postgres';
import { simulatedOrganization } from '../temporal/client';
import type { HistoryLimits, WorkflowCode } from '../temporal/instance';
import type { TemporalServer } from '../temporal/server';
import { type ActivityFunctions, SimulatedWorker } from '../temporal/worker';
import { currentOwner } from '../time/scheduler';
import type { SimulatedProcess, World } from '../world';
import { ACTIVITY_SETTINGS, CARRIER_SECRET, EVENTS_URL, SLOTS } from './settings';

export interface WorkerOptions {
  world: World;
  postgres: SimulatedPostgres;
  server: TemporalServer;
  code: WorkflowCode;
  createActivities: CreateActivities;
  limits: HistoryLimits;
  fetch: (process: SimulatedProcess) => Fetch;
  /** Returns true if the carrier has forgotten a call that is over. */
  hasForgotten: (reference: string) => boolean;
  webhooks: (process: SimulatedProcess) => WebhookSender;
  onTaskFailure: (workflowId: string, error: Error) => void;
  /** Called when an activity fails with an internal error. */
  onFault: (where: string, error: unknown) => void;
}

const silent = { info: () => undefined, warn: () => undefined };
const nothing = (): void => undefined;

const NO_METRICS: ActivityDependencies['metrics'] = {
  callEnded: nothing,
  eventTimeReplaced: nothing,
  dialRefused: nothing,
  dialled: nothing,
  processed: nothing,
  analysed: nothing,
  repaired: nothing,
  passFailed: nothing,
  reconciled: nothing,
};

/** Time after the start until the worker polls. */
const LOADS_MS = 500;

export interface StartedWorker {
  /** Dials calls that the API names. */
  dial(callIds: readonly string[]): void;
  died(): Promise<void>;
}

export function startWorker(options: WorkerOptions, process: SimulatedProcess): StartedWorker {
  return currentOwner.run(process, () => {
    const { world, server } = options;
    const catchUp = new CatchUp(simulatedOrganization(server, process).workflow, silent);
    const workflows = workflowStarter(simulatedOrganization(server, process).workflow);
    const clock = (): number => Math.round(world.nowMs);
    const { dials: atOnce } = ACTIVITY_SETTINGS.atOnce;
    const directDials = new DirectDials({ workflows, log: silent, clock, signals: catchUp.signals, atOnce });
    const activities = options.createActivities(
      dependencies(options, process, {
        clock,
        workflows,
        signals: { ...catchUp.signals, dial: directDials.dial },
      }),
      directDials,
    ) as unknown as ActivityFunctions;
    const worker = new SimulatedWorker({ ...options, process, activities, slots: SLOTS });
    world.scheduler.after(LOADS_MS, process, () => {
      server.connect(worker);
      catchUp.request();
    });
    return {
      dial: directDials.dial,
      async died() {
        server.disconnect(worker);
        await worker.died();
      },
    };
  });
}

function dependencies(
  options: WorkerOptions,
  process: SimulatedProcess,
  links: Pick<ActivityDependencies, 'clock' | 'workflows' | 'signals'>,
): ActivityDependencies {
  const { postgres, fetch, hasForgotten, webhooks } = options;
  return {
    ...links,
    db: openSimulated(postgres, process),
    telephony: bridged(
      httpCarrier({
        carrierUrl: 'http://carrier',
        secret: CARRIER_SECRET,
        eventsUrl: EVENTS_URL,
        clock: links.clock,
        fetch: fetch(process),
      }),
      hasForgotten,
    ),
    webhooks: webhooks(process),
    briefWaits: briefWaits({ max: ACTIVITY_SETTINGS.atOnce.briefWaits, log: silent }),
    mail: null,
    dndRegistry: null,
    model: null,
    files: { remove: () => Promise.resolve() },
    log: silent,
    metrics: NO_METRICS,
    settings: ACTIVITY_SETTINGS,
  };
}

/** Treats a forgotten call as over, as LiveKit does. */
const bridged = (telephony: Telephony, hasForgotten: (reference: string) => boolean): Telephony => ({
  ...telephony,
  find: async (reference) => {
    const answer = await telephony.find(reference);
    return { ...answer, goneMeansOver: hasForgotten(reference) };
  },
});

export const activityNames = (): string[] =>
  Object.keys(createActivities({ settings: ACTIVITY_SETTINGS } as ActivityDependencies));
