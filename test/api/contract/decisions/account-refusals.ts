/** Rejected requests about keys, sessions, secrets and quotas. */
import { issueApiKey, MAX_VALID_KEYS } from '../../../../db/organizations/api-keys';
import { openSession } from '../../../../db/organizations/console-tokens';
import { MAX_RULE_PROFILES } from '../../../../db/organizations/rule-profiles';
import { setQuotas } from '../../../../db/organizations/quotas';
import type { TestApi } from '../../support/test-api';
import type { Refused } from './refused';

const NONE = '00000000-0000-4000-8000-000000000000';
const post = (api: TestApi, path: string) => api.ask(path, { method: 'POST' });

export const ACCOUNT_REFUSED: Readonly<Record<string, Refused>> = {
  KEY_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api }) => {
      const { id } = await issueApiKey(api.db, api.stranger.id);
      return [await post(api, `/api/keys/${NONE}/revoke`), await post(api, `/api/keys/${id}/revoke`)];
    },
  },
  SESSION_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api }) => {
      const { id } = await issueApiKey(api.db, api.stranger.id);
      const session = await openSession(api.db, id, api.clock.time);
      const end = (sessionId: string) => post(api, `/api/keys/sessions/${sessionId}/end`);
      return [await end(NONE), await end(session.id)];
    },
  },
  TOO_MANY_KEYS: {
    statuses: [409],
    ask: async ({ api }) => {
      const as = await api.newOrganization();
      await Promise.all(Array.from({ length: MAX_VALID_KEYS - 1 }, () => issueApiKey(api.db, as.id)));
      return api.ask('/api/keys', { as, json: { name: 'One more', scopes: ['read'] } });
    },
  },
  QUOTA_EXCEEDED: {
    statuses: [409],
    ask: async ({ api }) => {
      const as = await api.newOrganization();
      await setQuotas(api.db, as.id, { agents: 1 });
      const create = () => api.ask('/api/create-agent', { as, json: { agent_display_name: 'Reminder' } });
      expect((await create()).status).toBe(200);
      return create();
    },
  },
  RULE_PROFILE_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api }) => [
      await api.ask('/api/rule-profiles/unknown'),
      await api.ask('/api/rule-profiles/UNKNOWN'),
      await api.ask('/api/rule-profiles/unknown', { method: 'DELETE' }),
    ],
  },
  RULE_PROFILE_RESERVED: {
    statuses: [409],
    ask: async ({ api }) => [
      await api.ask('/api/rule-profiles/us-tcpa', { method: 'PUT', json: { hours: {} } }),
      await api.ask('/api/rule-profiles/us-tcpa', { method: 'DELETE' }),
    ],
  },
  RULE_PROFILE_IN_USE: {
    statuses: [409],
    ask: async (bench) => {
      const profile = '/api/rule-profiles/in-use';
      await bench.api.ask(profile, { method: 'PUT', json: { hours: {} } });
      await bench.campaign({ rule_profile: 'in-use' });
      return bench.api.ask(profile, { method: 'DELETE' });
    },
  },
  TOO_MANY_RULE_PROFILES: {
    statuses: [409],
    ask: async ({ api }) => {
      const as = await api.newOrganization();
      const put = (n: number) =>
        api.ask(`/api/rule-profiles/rules-${n}`, { as, method: 'PUT', json: { hours: {} } });
      const statuses: number[] = [];
      for (let n = 0; n < MAX_RULE_PROFILES; n += 1) statuses.push((await put(n)).status);
      expect(new Set(statuses)).toEqual(new Set([200]));
      return put(MAX_RULE_PROFILES);
    },
  },
  TOO_MANY_SECRETS: {
    statuses: [409],
    ask: async ({ api }) => {
      const as = await api.newOrganization();
      const rotate = () => api.ask('/api/webhook-secrets/rotate', { as, json: {} });
      expect([(await rotate()).status, (await rotate()).status]).toEqual([201, 201]);
      return rotate();
    },
  },
};
