import { MAX_AT_ONCE } from '../../db/webhooks/receiver-slots';
import { Shares } from '../../runtime/shares';

/**
 * Limits this worker's concurrent requests, both in total and per endpoint of an organization. Without a limit, slow receivers would occupy
 * all activity slots and delay other organizations' webhooks and calls.
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
