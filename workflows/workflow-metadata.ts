/** By what operators find a workflow in the Web UI, search attributes and static summaries, and whose tasks go first: the same for every starter. */
import type { Priority, SearchAttributePair } from '@temporalio/common';
import { searchAttributes, type CallInput } from './contract';

/** Whose a workflow is, as far as its starter knows. */
export interface Owner {
  clientId?: string;
  campaignId?: string | null;
  agentId?: string;
}

function ownerAttributes({ clientId, campaignId, agentId }: Owner): SearchAttributePair[] {
  return [
    ...(clientId ? [{ key: searchAttributes.clientId, value: clientId }] : []),
    ...(campaignId ? [{ key: searchAttributes.campaignId, value: campaignId }] : []),
    ...(agentId ? [{ key: searchAttributes.agentId, value: agentId }] : []),
  ];
}

/** Temporal's: 1 is first, 5 is last; what belongs to nobody, as reconciliation, has the 3 between. */
const PRIORITY = { call: 2, campaign: 4 } as const;

/**
 * What a starter gives a workflow of its owner, with more search attributes. Where tasks wait for workers, callers and dispatched calls go before
 * campaigns, and the clients of each kind take turns.
 */
export const ownedBy = (owner: Owner, more: readonly SearchAttributePair[] = []) => ({
  typedSearchAttributes: [...ownerAttributes(owner), ...more],
  priority: taskPriority(owner),
});

const taskPriority = ({ clientId, campaignId }: Owner): Priority =>
  clientId ? { priorityKey: campaignId ? PRIORITY.campaign : PRIORITY.call, fairnessKey: clientId } : {};

/** A static summary stays with the run that it was given to: the current details of each run of a campaign begin with the same. */
export const campaignSummary = ({ clientId }: { clientId: string }, contacts: number): string =>
  `campaign of ${contacts} contacts, client ${clientId}`;

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
