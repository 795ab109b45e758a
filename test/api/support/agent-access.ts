/** Gives an agent access to the calls of `newCall`, which are already claimed. Tests of claiming don't use this. */
import { callToken } from '../../../db/calls/agent-access';
import type { TestApi } from './test-api';

/** Ticket of the job that owns the calls of `newCall`. */
export const AGENT_TICKET = 1;

/** The Authorization header of the agent that has claimed the call. */
export const agentOf = ({ secretsKeys, clock }: Pick<TestApi, 'secretsKeys' | 'clock'>, callId: string) => ({
  Authorization: `Bearer ${callToken(secretsKeys, { callId, ticket: AGENT_TICKET }, clock.now())}`,
});
