/** By what operators find a workflow in the Web UI: search attributes and static summaries, the same for every starter. */
import type { SearchAttributePair } from '@temporalio/common';
import { searchAttributes, type CallInput } from './contract';

/** Whose a workflow is, as far as its starter knows. */
export interface Owner {
  clientId?: string;
  campaignId?: string | null;
  agentId?: string;
}

export function ownerAttributes({ clientId, campaignId, agentId }: Owner): SearchAttributePair[] {
  return [
    ...(clientId ? [{ key: searchAttributes.clientId, value: clientId }] : []),
    ...(campaignId ? [{ key: searchAttributes.campaignId, value: campaignId }] : []),
    ...(agentId ? [{ key: searchAttributes.agentId, value: agentId }] : []),
  ];
}

/** How its static summary calls a webhook's delivery. */
export const DELIVERY_SUMMARY = {
  campaign: 'webhook of a campaign',
  call: 'webhook of a call',
  again: 'webhook, delivered again',
} as const;

export const ROUTE_SUMMARY = 'route of an inbound number';

/** Of a call that no campaign makes. */
export const callSummary = ({ clientId, placed }: CallInput): string =>
  `${placed === undefined ? 'dispatched' : 'inbound'} call, client ${clientId}`;

/** Of a call that a campaign makes; a callback is counted as no attempt. */
export const attemptSummary = ({
  attempt,
  maxAttempts,
}: {
  attempt: number | null;
  maxAttempts: number;
}): string => (attempt === null ? 'callback' : `call attempt ${attempt} of ${maxAttempts}`);
