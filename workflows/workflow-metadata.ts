/** Search attributes, static summaries and task priorities, shared by all code that starts workflows. */
import type { Priority, SearchAttributePair } from '@temporalio/common';
import { searchAttributes, type CallInput } from './contract';

/** The owner of a workflow, as far as its starter knows it. */
export interface Owner {
  organizationId?: string;
  campaignId?: string | null;
  agentId?: string;
}

function ownerAttributes({ organizationId, campaignId, agentId }: Owner): SearchAttributePair[] {
  return [
    ...(organizationId ? [{ key: searchAttributes.organizationId, value: organizationId }] : []),
    ...(campaignId ? [{ key: searchAttributes.campaignId, value: campaignId }] : []),
    ...(agentId ? [{ key: searchAttributes.agentId, value: agentId }] : []),
  ];
}

/** Temporal runs priority 1 first and 5 last. Workflows without an owner, such as reconciliation, have Temporal's default of 3. */
const PRIORITY = { call: 2, campaign: 4 } as const;

/**
 * Start options that depend on the owner. When tasks wait for workers, inbound and dispatched calls go before campaigns, and organizations
 * are served in rotation within each kind.
 */
export const ownedBy = (owner: Owner, more: readonly SearchAttributePair[] = []) => ({
  typedSearchAttributes: [...ownerAttributes(owner), ...more],
  priority: taskPriority(owner),
});

const taskPriority = ({ organizationId, campaignId }: Owner): Priority =>
  organizationId
    ? { priorityKey: campaignId ? PRIORITY.campaign : PRIORITY.call, fairnessKey: organizationId }
    : {};

/** Static summary of a campaign. Its current details begin with the same text, because a later run has no static summary. */
export const campaignSummary = ({ organizationId }: { organizationId: string }, contacts: number): string =>
  `campaign of ${contacts} contacts, organization ${organizationId}`;

/** Static summaries of deliveries. */
export const DELIVERY_SUMMARY = {
  campaign: 'webhook of a campaign',
  call: 'webhook of a call',
  again: 'webhook, redelivered',
} as const;

export const ROUTE_SUMMARY = 'route of an inbound number';

/** Static summary of a call without a campaign. */
export const callSummary = ({ organizationId, placed }: CallInput): string =>
  `${placed === undefined ? 'dispatched' : 'inbound'} call, organization ${organizationId}`;

/** Static summary of a campaign's call. A callback has no attempt number. */
export const attemptSummary = ({
  attempt,
  maxAttempts,
}: {
  attempt: number | null;
  maxAttempts: number;
}): string => (attempt === null ? 'callback' : `call attempt ${attempt} of ${maxAttempts}`);
