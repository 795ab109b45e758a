export interface CallFilter {
  organizationId: string;
  agentId?: string;
  campaignId?: string;
  callId?: string;
  status?: string;
  /** ISO instant; calls accepted at or after it. */
  from?: string;
  /** ISO instant; calls accepted before it. */
  to?: string;
  /** Words that must all occur in the transcript. */
  search?: string;
}
