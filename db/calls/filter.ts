export interface CallFilter {
  clientId: string;
  agentId?: string;
  campaignId?: string;
  callId?: string;
  status?: string;
  /** Accepted at or after. */
  from?: string;
  /** Accepted before. */
  to?: string;
  /** Words that all stand in what was said. */
  search?: string;
}
