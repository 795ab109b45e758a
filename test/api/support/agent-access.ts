/** Tests that are not about claims have rows of calls that an agent has claimed. */
import { callToken } from '../../../db/calls/agent-access';
import type { TestApi } from './test-api';

/** Of the job that has the calls of `newCall`; a real one ends later. */
export const AGENT_TICKET = 1;

/** What the agent shows that has claimed the call. */
export const agentOf = ({ secretsKeys, clock }: Pick<TestApi, 'secretsKeys' | 'clock'>, callId: string) => ({
  Authorization: `Bearer ${callToken(secretsKeys, { callId, ticket: AGENT_TICKET }, clock.now())}`,
});
