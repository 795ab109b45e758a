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
 * What the API asks of Temporal. Every call answers within the deadline, or fails with `TemporalUnavailable`; a failed start may
 * nevertheless have happened, when only its answer was lost.
 */
export interface TemporalPort {
  /** A workflow that runs under the campaign's id already looks at its row again. */
  startCampaign(input: CampaignInput, about: { contacts: number }): Promise<void>;
  startCall(input: CallInput): Promise<void>;
  /** A delivery that is under way is left alone; of one that is done, the ledger says what is left to do. */
  startDelivery(input: DeliveryInput, owner?: Owner): Promise<void>;
  /** Signals the inbound-route workflow, starting it if it is not running. */
  signalRoute(change: RouteChanged & InboundRouteInput, owner: Owner): Promise<void>;
  /** Without effect on a campaign whose workflow is closed or not started yet: the row is what counts. */
  signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void>;
  /** Never fails, and takes no longer than the deadline: what does not get through is repeated by reconciliation. */
  signalWorkflows(signals: WorkflowSignals, log: SignalLog): Promise<void>;
  /** Fails unless the namespace answers. */
  check(): Promise<void>;
  /** When a worker last asked for a workflow task, in milliseconds since the epoch; null where none did within minutes. */
  workersSeenAt(): Promise<number | null>;
}
