/** Rejected requests with a console session. */
import type { Refused } from './refused';

const SESSION = '/api/console/session';

export const SESSION_REFUSED: Readonly<Record<string, Refused>> = {
  INVALID_SESSION: {
    statuses: [401],
    ask: async ({ api }) => {
      const asked = { as: null, headers: { Cookie: 'console_session=unknown' } };
      return [await api.ask('/api/agents', asked), await api.ask(SESSION, asked), await api.ask(SESSION)];
    },
  },
  INVALID_SIGN_IN_TOKEN: {
    statuses: [401],
    ask: ({ api }) => api.ask(SESSION, { as: null, json: { sign_in_token: 'unknown' } }),
  },
  CSRF_TOKEN_INVALID: {
    statuses: [403],
    ask: async ({ api }) => {
      const opened = await api.ask(SESSION, { as: null, json: { api_key: api.organization.key } });
      const asked = { as: null, headers: { Cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '' } };
      return [
        await api.ask('/api/create-agent', { ...asked, body: '{', method: 'POST' }),
        await api.ask(SESSION, { ...asked, method: 'DELETE' }),
      ];
    },
  },
};
