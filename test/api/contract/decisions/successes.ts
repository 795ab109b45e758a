/** A request for each success status that gets that status. */
import { randomUUID } from 'node:crypto';
import { newAgent } from '../../support/rows';
import type { Answer } from '../../support/test-api';
import type { Bench } from '../bench';

export interface Succeeded {
  status: number;
  ask: (bench: Bench) => Promise<Answer>;
}

export const SUCCEEDED: Readonly<Record<string, Succeeded>> = {
  'dispatch is 200': { status: 200, ask: (bench) => bench.call() },
  'DELETE is 200 with success: true': {
    status: 200,
    ask: async ({ api }) => {
      const answer = await api.ask(`/api/agent/${await newAgent(api, { name: 'Brief' })}`, {
        method: 'DELETE',
      });
      expect(answer.body).toEqual({ success: true });
      return answer;
    },
  },
  'OPTIONS is 204 with Allow, without a key': {
    status: 204,
    ask: async ({ api }) => {
      const answer = await api.ask('/api/agents', { method: 'OPTIONS', as: null });
      expect(answer.headers.get('Allow')).toBe('HEAD, GET');
      return answer;
    },
  },
  'a part of a recording is 206': {
    status: 206,
    ask: ({ api, callId }) => api.ask(`/api/stream/${callId}`, { headers: { Range: 'bytes=0-3' } }),
  },
  'campaign create is 201': { status: 201, ask: (bench) => bench.create() },
  'a new key is 201': {
    status: 201,
    ask: ({ api }) => api.ask('/api/keys', { json: { name: 'Reports', scopes: ['read'] } }),
  },
  'a rotation of the secret is 201': {
    status: 201,
    ask: ({ api }) => api.ask('/api/webhook-secrets/rotate', { json: { overlap_hours: 0 } }),
  },
  'redeliver is 202': {
    status: 202,
    ask: async ({ api }) => {
      const id = randomUUID();
      await api.db('webhook_deliveries').insert({
        id,
        organization_id: api.organization.id,
        event_id: randomUUID(),
        event: 'call.completed',
        url: 'https://example.com/hook',
        body: '{}',
        status: 'failed',
        created_at: new Date(api.clock.time),
      });
      return api.ask(`/api/webhook-deliveries/${id}/redeliver`, { method: 'POST' });
    },
  },
};
