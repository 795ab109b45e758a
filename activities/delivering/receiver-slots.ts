import { MAX_AT_ONCE } from '../../db/webhooks/receiver-slots';
import { Shares } from '../../runtime/shares';

/**
 * Limits the concurrent requests of this worker, in total and to one organization's endpoint. Without a limit, slow receivers would occupy all
 * activity slots and delay the webhooks and calls of others.
 */
export interface ReceiverSlots {
  /** Returns a function that releases the slot, or null if all slots are taken. */
  take(receiver: string): (() => void) | null;
}

/** Leaves at least half of the slots to other receivers. */
const maxPerOwner = (inAll: number): number => Math.min(MAX_AT_ONCE, Math.max(1, Math.floor(inAll / 2)));

export const receiverSlots = (inAll: number, perOwner = maxPerOwner(inAll)): ReceiverSlots =>
  new Shares({ max: inAll, maxPerOwner: perOwner });

/** Identifies an endpoint by its organization and the origin of its URL. */
export const receiverOf = ({ organizationId, url }: { organizationId: string; url: string }): string =>
  `${organizationId} ${originOf(url)}`;

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
