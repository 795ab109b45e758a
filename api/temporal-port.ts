import type { CallInput, CampaignInput, DeliveryInput } from '../workflows/contract';

export type CampaignSignal = 'pause' | 'resume' | 'cancel';

/**
 * What the API asks of Temporal. Every call answers within the deadline, or fails with `TemporalUnavailable`; a failed start may
 * nevertheless have happened, when only its answer was lost.
 */
export interface TemporalPort {
  startCampaign(input: CampaignInput, about: { contacts: number }): Promise<void>;
  startCall(input: CallInput): Promise<void>;
  /** A delivery that is under way or done is left alone. */
  startDelivery(input: DeliveryInput): Promise<void>;
  /** Without effect on a campaign whose workflow is closed or not started yet: the row is what counts. */
  signalCampaign(campaignId: string, signal: CampaignSignal): Promise<void>;
  /** Fails unless the namespace answers. */
  check(): Promise<void>;
}

export class TemporalUnavailable extends Error {
  constructor(cause: unknown) {
    super('Temporal does not answer', { cause });
    this.name = 'TemporalUnavailable';
  }
}
