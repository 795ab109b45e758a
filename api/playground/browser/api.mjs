/**
 * What the page asks of the API, with a key or with the session of the console, whose cookie the browser sends by itself. Whatever goes
 * wrong is thrown as a `Problem`.
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

  /** Of the agent; empty where it has none, or it cannot be read. A session that names no language is in Hindi. */
  const languageOf = async (agentId) => {
    const agent = await ask(`/api/agent/${encodeURIComponent(agentId)}`).catch(() => null);
    return agent?.config?.persona?.senses_capabilities?.language ?? '';
  };

  /** When calls were accepted, once it is known: a campaign may make many newer ones. */
  const acceptedAt = new Map();

  return {
    agents: () => ask('/api/agents'),

    /** `{token, room_name, connection_url, …}`; the room's name is the call's id. */
    async openSession(agentId) {
      const language = await languageOf(agentId);
      return ask('/api/trigger-call/', {
        method: 'POST',
        json: { agent_id: agentId, medium: 'webrtc', ...(language !== '' && { primary_language: language }) },
      });
    },

    /** Null where it was not among the latest calls of the agent when it was looked for first. */
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

    /** Whether calls wait because each line is taken. */
    async linesAreFull() {
      const { live_calls, waiting_calls, max_concurrency } = await ask('/api/limits');
      return waiting_calls > 0 && live_calls >= max_concurrency;
    },

    /** Goes on when the page is left. */
    hangUp: (callId) =>
      ask(`/api/calls/${encodeURIComponent(callId)}/hangup`, { method: 'POST', keepalive: true }),
  };
};

/**
 * Those of the console's session. Null where nobody is signed in there.
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
