import type { SignalLog, WorkflowSignals } from '../../runtime/signal-workflows';
import type {
  CallInput,
  CampaignInput,
  DeliveryInput,
  InboundRouteInput,
  RouteChanged,
} from '../../workflows/contract';
import type { Owner } from '../../workflows/workflow-metadata';

export type CampaignSignal = 'pause' | 'resume' | 'cancel' | 'update';

/**
 * The calls to Temporal that the API makes. Each call returns within the deadline or throws `TemporalUnavailable`. A failed start may still have
 * happened if only its response was lost.
 */
export interface TemporalPort {
  /** Signals the workflow to re-read its row if it is already running. */
  startCampaign(input: CampaignInput, about: { contacts: number }): Promise<void>;
  startCall(input: CallInput): Promise<void>;
  /** Does nothing if the delivery is in progress. For a finished one the ledger says what remains to do. */
  startDelivery(input: DeliveryInput, owner?: Owner): Promise<void>;
  /** Signals the inbound-route workflow, starting it if it is not running. */
  signalRoute(change: RouteChanged & InboundRouteInput, owner: Owner): Promise<void>;
  /** Does nothing if the campaign's workflow is closed or not yet started, because the row is what counts. */
  signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void>;
  /** Never throws, and returns within the deadline. Reconciliation repeats lost signals. */
  signalWorkflows(signals: WorkflowSignals, log: SignalLog): Promise<void>;
  /** Throws unless the namespace responds. */
  check(): Promise<void>;
  /** When a worker last polled for workflow tasks, in milliseconds since the epoch; null if none polled within minutes. */
  workersSeenAt(): Promise<number | null>;
}
