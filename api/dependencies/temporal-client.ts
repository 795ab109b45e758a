import {
  isGrpcServiceError,
  isRetryableError,
  makeGrpcRetryInterceptor,
  NamespaceNotFoundError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type ConnectionOptions,
  type WorkflowStartOptions,
} from '@temporalio/client';
import {
  signalWorkflows,
  type SignalLog,
  type SignalSender,
  type WorkflowSignals,
} from '../../runtime/signal-workflows';
import type { TemporalAccess } from '../../runtime/temporal-access';
import {
  cancelSignal,
  pauseSignal,
  resumeSignal,
  routeChangedSignal,
  searchAttributes,
  TASK_QUEUE,
  updateSignal,
  WORKFLOW_TASK_TIMEOUT_MS,
  WORKFLOW_TYPES,
  workflowId,
  type CallInput,
  type CampaignInput,
  type DeliveryInput,
  type InboundRouteInput,
  type RouteChanged,
} from '../../workflows/contract';
import {
  callSummary,
  campaignSummary,
  DELIVERY_SUMMARY,
  ownedBy,
  ROUTE_SUMMARY,
  type Owner,
} from '../../workflows/workflow-metadata';
import { TemporalUnavailable } from '../http/errors/api-error';

export type CampaignSignal = 'pause' | 'resume' | 'cancel' | 'update';

/**
 * The API's calls to Temporal. Each returns within the deadline or throws `TemporalUnavailable`. A start that threw may still have
 * succeeded if only its response was lost.
 */
export interface TemporalPort {
  /** If the workflow is already running, signals it to re-read its row. */
  startCampaign(input: CampaignInput, about: { contacts: number }): Promise<void>;
  startCall(input: CallInput): Promise<void>;
  /** Does nothing if the delivery is in progress. For a finished one, the ledger shows what remains to be done. */
  startDelivery(input: DeliveryInput, owner?: Owner): Promise<void>;
  /** Signals the inbound-route workflow, starting it if it is not running. */
  signalRoute(change: RouteChanged & InboundRouteInput, owner: Owner): Promise<void>;
  /** Does nothing if the campaign's workflow is closed or not yet started, because only the row is authoritative. */
  signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void>;
  /** Never throws, and returns within the deadline. Reconciliation repeats lost signals. */
  signalWorkflows(signals: WorkflowSignals, log: SignalLog): Promise<void>;
  /** Throws unless the namespace responds. */
  check(): Promise<void>;
  /** When a worker last polled for workflow tasks, in milliseconds since the epoch; null if none polled within minutes. */
  workersSeenAt(): Promise<number | null>;
}

/** The API must respond within 3 s when Temporal fails. A busy machine needs half of the remaining second for everything else. */
const DEADLINE_MS = 2000;

const ATTEMPTS = 3;

/** `TASK_QUEUE_TYPE_WORKFLOW` in Temporal's API. */
const WORKFLOW_TASKS = 1;

/**
 * Connection options for the API. By default the client's retries wait up to five seconds, and a channel waits up to two minutes before it
 * reconnects, which is too long for a request.
 */
export function temporalConnection(access: TemporalAccess): ConnectionOptions {
  return {
    ...access,
    interceptors: [
      makeGrpcRetryInterceptor({
        retryableDecider: (attempt, status) => attempt < ATTEMPTS && isRetryableError(status),
        delayFunction: (attempt) => attempt * 100,
      }),
    ],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 },
  };
}

const SIGNALS = {
  pause: pauseSignal,
  resume: resumeSignal,
  cancel: cancelSignal,
  update: updateSignal,
} as const;

function withinDeadline(client: Client) {
  const within = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await client.withDeadline(Date.now() + DEADLINE_MS, request);
    } catch (error) {
      throw isServerFault(error) ? new TemporalUnavailable(error) : error;
    }
  };

  /** Returns false if a workflow already runs under the id, because reconciliation or an earlier attempt started it. */
  const start = async (type: string, options: Omit<WorkflowStartOptions, 'taskQueue'>): Promise<boolean> => {
    try {
      await within(() =>
        client.workflow.start(type, {
          ...options,
          taskQueue: TASK_QUEUE,
          workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return false;
    }
  };
  return { within, start };
}

export function temporalPort(client: Client, signals: SignalSender = client.workflow): TemporalPort {
  const { within, start } = withinDeadline(client);
  const signalCampaign = async (campaignId: string, signal: CampaignSignal): Promise<void> => {
    const handle = client.workflow.getHandle(workflowId.campaign(campaignId));
    try {
      await within(() => handle.signal(SIGNALS[signal]));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };

  return {
    async startCampaign(input, { contacts }) {
      const isNew = await start(WORKFLOW_TYPES.campaign, campaignStart(input, contacts));
      // The workflow may be asleep with the contacts of a withdrawn row with this id, so wake it.
      if (!isNew) await signalCampaign(input.campaignId, 'update');
    },
    async startCall(input) {
      await start(WORKFLOW_TYPES.call, {
        workflowId: workflowId.call(input.callId),
        args: [input],
        ...ownedBy(input),
        staticSummary: callSummary(input),
      });
    },
    async startDelivery(input, owner = {}) {
      await start(WORKFLOW_TYPES.delivery, {
        workflowId: workflowId.delivery(input.deliveryId),
        args: [input],
        // A closed delivery can be started again, for a redelivery.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        ...deliveryMetadata(owner),
      });
    },
    async signalRoute(change, owner) {
      await within(() =>
        client.workflow.signalWithStart(WORKFLOW_TYPES.inboundRoute, routeStart(change, owner)),
      );
    },
    signalCampaign,
    signalWorkflows: (decided, log) => within(() => signalWorkflows(signals, log, decided)),
    async check() {
      await within(() => client.workflowService.describeNamespace({ namespace: client.options.namespace }));
    },
    async workersSeenAt() {
      const { pollers } = await within(() =>
        client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name: TASK_QUEUE },
          taskQueueType: WORKFLOW_TASKS,
        }),
      );
      const seen = pollers.map(({ lastAccessTime }) => (lastAccessTime?.seconds?.toNumber() ?? 0) * 1000);
      return seen.length === 0 ? null : Math.max(...seen);
    },
  };
}

const campaignStart = (input: CampaignInput, contacts: number) => ({
  workflowId: workflowId.campaign(input.campaignId),
  args: [input],
  // A closed workflow can be started again. It may have found its row withdrawn before a retried request created the row anew.
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  ...ownedBy(input, [{ key: searchAttributes.campaignStatus, value: 'active' }]),
  staticSummary: campaignSummary(input, contacts),
});

function routeStart({ routeId, revision }: InboundRouteInput & RouteChanged, owner: Owner) {
  const input: InboundRouteInput = { routeId };
  return {
    workflowId: workflowId.inboundRoute(routeId),
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    args: [input],
    signal: routeChangedSignal,
    signalArgs: [{ revision }] satisfies [RouteChanged],
    ...ownedBy(owner),
    staticSummary: ROUTE_SUMMARY,
  };
}

const deliveryMetadata = (owner: Owner) => ({
  ...ownedBy(owner),
  staticSummary: owner.campaignId ? DELIVERY_SUMMARY.campaign : DELIVERY_SUMMARY.again,
});

/** Includes a missing namespace and unregistered search attributes, because like an outage they are only temporary. */
function isServerFault(error: unknown): boolean {
  return (
    error instanceof ServiceError || error instanceof NamespaceNotFoundError || isGrpcServiceError(error)
  );
}
