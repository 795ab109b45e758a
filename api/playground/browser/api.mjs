/**
 * The page's requests to the API, with an API key or with the console's session, whose cookie the browser sends. Errors are thrown as a
 * `Problem`.
 *
 * @typedef {{ key: string } | { csrfToken: string }} Credentials
 * @typedef {ReturnType<typeof openApi>} Api
 */
import { Problem } from './problem.mjs';

/** @param {Credentials} credentials */
export const openApi = (credentials) => {
  const given =
    'key' in credentials ? { 'X-API-Key': credentials.key } : { 'X-CSRF-Token': credentials.csrfToken };

  /** @param {string} path @param {{ method?: string, json?: object, keepalive?: boolean }} [request] */
  const ask = async (path, { method = 'GET', json, keepalive = false } = {}) => {
    let response;
    try {
      response = await fetch(path, {
        method,
        keepalive,
        headers: { ...given, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
        body: json === undefined ? undefined : JSON.stringify(json),
      });
    } catch (cause) {
      throw new Problem('unreachable', { cause });
    }
    const body = await response.json().catch(() => null);
    if (response.ok) return body;
    throw new Problem(problemOf(response.status, body?.detail?.code));
  };

  /** Returns the agent's language; empty if it is unset or unreadable. Without a language the session would be in Hindi. */
  const languageOf = async (agentId) => {
    const agent = await ask(`/api/agent/${encodeURIComponent(agentId)}`).catch(() => null);
    return agent?.config?.persona?.senses_capabilities?.language ?? '';
  };

  /** Time of acceptance of each known call. It narrows later queries, because a campaign may make many newer calls. */
  const acceptedAt = new Map();

  return {
    agents: () => ask('/api/agents'),

    /** Returns `{token, room_name, connection_url, …}`. The room's name is the call's id. */
    async openSession(agentId) {
      const language = await languageOf(agentId);
      return ask('/api/trigger-call/', {
        method: 'POST',
        json: { agent_id: agentId, medium: 'webrtc', ...(language !== '' && { primary_language: language }) },
      });
    },

    /** Returns null if the call wasn't among the agent's latest ones on the first query. */
    async call(callId, agentId) {
      const query = new URLSearchParams({ page_size: '200', agent_id: agentId, ...acceptedAt.get(callId) });
      const { data } = await ask(`/api/call-history?${query}`);
      const found = data.find(({ call_id }) => call_id === callId);
      if (found === undefined) return null;
      const from = Date.parse(found.Start_time);
      acceptedAt.set(callId, { from: found.Start_time, to: new Date(from + 1).toISOString() });
      return {
        callStatus: found.call_status,
        durationMs: found.duration_ms,
        isOver: found.End_time !== null,
      };
    },

    /** Tells whether calls wait because all lines are in use. */
    async linesAreFull() {
      const { live_calls, waiting_calls, max_concurrency } = await ask('/api/limits');
      return waiting_calls > 0 && live_calls >= max_concurrency;
    },

    /** Completes even when the page is closed. */
    hangUp: (callId) =>
      ask(`/api/calls/${encodeURIComponent(callId)}/hangup`, { method: 'POST', keepalive: true }),
  };
};

/**
 * Returns the credentials of the console's session, or null if no one is signed in there.
 *
 * @returns {Promise<Credentials | null>}
 */
export const sessionOfConsole = async () => {
  const response = await fetch('/api/console/session').catch(() => null);
  if (response === null || !response.ok) return null;
  const { csrf_token: csrfToken } = await response.json();
  return { csrfToken };
};

const problemOf = (status, code) => {
  if (status === 401) return 'keyRefused';
  if (code === 'REALTIME_NOT_CONFIGURED') return 'noMediaServer';
  if (status === 404) return 'agentGone';
  if (status === 429) return 'tooManyRequests';
  return status >= 500 ? 'unavailable' : 'refused';
};
