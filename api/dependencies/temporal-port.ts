import type { Announcement, AnnounceLog } from '../../runtime/announce';
import type {
  CallInput,
  CampaignInput,
  DeliveryInput,
  InboundRouteInput,
  RouteChanged,
} from '../../workflows/contract';
import type { Owner } from '../../workflows/shown-as';

export type CampaignSignal = 'pause' | 'resume' | 'cancel' | 'update';

/**
 * What the API asks of Temporal. Every call answers within the deadline, or fails with `TemporalUnavailable`; a failed start may
 * nevertheless have happened, when only its answer was lost.
 */
export interface TemporalPort {
  startCampaign(input: CampaignInput, about: { contacts: number }): Promise<void>;
  startCall(input: CallInput): Promise<void>;
  /** A delivery that is under way is left alone; of one that is done, the ledger says what is left to do. */
  startDelivery(input: DeliveryInput, owner?: Owner): Promise<void>;
  /** The workflow that has the carrier told hears of the change, whether it runs or is started for it. */
  tellRoute(change: RouteChanged & InboundRouteInput, owner: Owner): Promise<void>;
  /** Without effect on a campaign whose workflow is closed or not started yet: the row is what counts. */
  signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void>;
  /** Never fails, and takes no longer than the deadline: what does not get through is repeated by reconciliation. */
  announce(announcement: Announcement, log: AnnounceLog): Promise<void>;
  /** Fails unless the namespace answers. */
  check(): Promise<void>;
}
