import { valueAt } from '../../domain/json';
import type { Log } from '../log';
import { requestApi } from './request';
import { withRetries } from './retry';

const TRIED_MS = 15_000;

/**
 * Asks the API for its deployment's agent name at LiveKit, and waits while the API is unavailable. Throws when the API rejects the request.
 */
export async function deploymentsAgentName(
  { apiUrl, agentSecret }: { apiUrl: string; agentSecret: string },
  log: Pick<Log, 'warn'>,
  triedMs = TRIED_MS,
): Promise<string> {
  const ask = () =>
    requestApi({ apiUrl, secret: agentSecret }, { method: 'GET', path: '/api/carrier/agent-name' });
  for (;;) {
    const answer = await withRetries(ask, { limitMs: triedMs });
    if (answer.kind === 'ok') return nameIn(answer.body);
    if (answer.kind === 'rejected') {
      throw new Error(
        `The API at API_URL has no name for this agent (status ${answer.status}): set LIVEKIT_AGENT_NAME`,
      );
    }
    log.warn({ status: answer.status }, 'the API does not answer: the agent waits for its name');
  }
}

function nameIn(body: unknown): string {
  const name = valueAt(body, 'agent_name');
  if (typeof name !== 'string' || name === '') throw new Error('The API at API_URL returned no agent name');
  return name;
}
