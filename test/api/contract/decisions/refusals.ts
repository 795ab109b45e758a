/** A request for each error code that is rejected with that code. */
import { AgentSecrets } from '../../../../api/agents/config/secrets';
import { MAX_ACTION_REQUESTS } from '../../../../db/calls/call-context';
import { randomUUID } from 'node:crypto';
import { callToken, jobTicket } from '../../../../db/calls/agent-access';
import { issueApiKey } from '../../../../db/organizations/api-keys';
import { CARRIER_EVENTS_PATH } from '../../../../api/carriers/http/routes';
import { registerNumbers } from '../../../../db/agents/numbers';
import { AGENT_TICKET } from '../../support/agent-access';
import { campaignForm, newAgent, newCall, newCampaign } from '../../support/rows';
import type { Answer, TestApi } from '../../support/test-api';
import { PHONE_CALL, type Bench } from '../bench';
import { askAsCarrier, KEYS } from './as-carrier';
import type { Refused } from './refused';
import { ACCOUNT_REFUSED } from './account-refusals';
import { SESSION_REFUSED } from './session-refusals';

const NONE = '00000000-0000-4000-8000-000000000000';
const post = (api: TestApi, path: string, headers = {}) => api.ask(path, { method: 'POST', headers });

/** Creates a campaign and writes a final status to its row. */
async function ended(bench: Bench, status: string): Promise<string> {
  const { id } = await bench.campaign();
  await bench.api.db('campaigns').where({ id }).update({ status });
  return id;
}

const refusedForm = (status: number, changes: Record<string, string>): Refused => ({
  statuses: [status],
  ask: async (bench) => {
    const asForm = await bench.create(changes);
    const { id } = await bench.campaign();
    const form = new FormData();
    for (const [name, value] of Object.entries(changes)) form.append(name, value);
    return [asForm, await bench.api.ask(`/api/campaigns/${id}`, { method: 'PUT', body: form })];
  },
});

const refusedFile = (file: string): Refused => ({
  statuses: [400],
  ask: (bench) => bench.create({}, { file }),
});

const rows = (count: number): string =>
  ['name,phone', ...Array.from({ length: count }, (_, n) => `A,9${800_000_000 + n}`)].join('\n');

const AGENT_CONFIG = { deployment: { phone: { call_type: { Inbound: '+918012349999' } } } };

export const REFUSED: Readonly<Record<string, Refused>> = {
  INVALID_ENCODING: {
    statuses: [400],
    ask: async (bench) => {
      const body = Uint8Array.from(Buffer.from('{"campaign_name":"Caf\xe9"}', 'latin1'));
      const { id } = await bench.campaign();
      const headers = { 'Content-Type': 'application/json' };
      return bench.api.ask(`/api/campaigns/${id}`, { method: 'PUT', body, headers });
    },
  },
  MISSING_API_KEY: {
    statuses: [401],
    ask: async ({ api }) => [
      await api.ask('/api/agents', { as: null }),
      // The service rejects this content type before it reads the body.
      await api.ask('/api/trigger-call/', { as: null, body: '{', headers: { 'Content-Type': 'text/plain' } }),
    ],
  },
  INVALID_API_KEY: {
    statuses: [401],
    ask: ({ api }) => api.ask('/api/agents', { as: { ...api.organization, key: 'x' } }),
  },
  ...SESSION_REFUSED,
  INSUFFICIENT_SCOPE: {
    statuses: [403],
    ask: async (bench) => {
      const { api } = bench;
      const { key } = await issueApiKey(api.db, api.organization.id, { scopes: ['operate'] });
      const as = { ...api.organization, key };
      return [
        await api.ask('/api/agents', { as }),
        await api.ask('/api/create-agent', { as, body: '{', method: 'POST' }),
        await api.ask('/api/trigger-call/', {
          as,
          json: { ...PHONE_CALL, agent_id: bench.agentId, modify_agent: { persona: {} } },
        }),
      ];
    },
  },
  AGENT_NOT_FOUND: {
    statuses: [404],
    ask: async (bench) => [
      await bench.api.ask(`/api/agent/${NONE}`),
      await bench.api.ask(`/api/agent/${bench.agentId}`, { as: bench.api.stranger }),
      await bench.call({ agent_id: NONE }),
      await bench.call({ agent_id: 'no-such-name' }),
      await bench.create({ agent_id: NONE }),
    ],
  },
  CONTACT_LIST_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api, agentId }) => [
      await api.ask(`/api/campaigns/${await newCampaign(api)}/contacts`, { json: { contact_list_id: NONE } }),
      await api.ask('/api/campaigns/create', { body: campaignForm(agentId, { contact_list_id: NONE }) }),
    ],
  },
  VERSION_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api, agentId }) => [
      await api.ask(`/api/agent/${agentId}?version=1000`),
      await api.ask(`/api/agent/${agentId}/restore`, { json: { version: 1000 } }),
    ],
  },
  CALL_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api, callId }) => [
      await api.ask('/api/call_details/outbound-1-a'),
      await api.ask(`/api/call_details/${callId}`, { as: api.stranger }),
      await post(api, '/api/calls/outbound-1-a/hangup'),
    ],
  },
  CALL_NOT_AUDIBLE: {
    statuses: [409],
    ask: ({ api, callId }) => post(api, `/api/calls/${callId}/listen`),
  },
  CAMPAIGN_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api }) => [
      await api.ask(`/api/campaigns/${NONE}`),
      ...(await Promise.all(
        ['pause', 'resume', 'cancel'].map((name) => post(api, `/api/campaigns/${NONE}/${name}`)),
      )),
    ],
  },
  DELIVERY_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api }) => [
      await api.ask(`/api/webhook-deliveries/${NONE}`),
      await post(api, `/api/webhook-deliveries/${NONE}/redeliver`),
    ],
  },
  ...ACCOUNT_REFUSED,
  TRANSCRIPT_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api, agentId }) => api.ask(`/api/transcript/${await newCall(api, { agent_id: agentId })}`),
  },
  RECORDING_NOT_FOUND: {
    statuses: [404],
    ask: async ({ api, agentId }) => api.ask(`/api/stream/${await newCall(api, { agent_id: agentId })}`),
  },
  RANGE_NOT_SATISFIABLE: {
    statuses: [416],
    ask: ({ api, callId }) => api.ask(`/api/stream/${callId}`, { headers: { Range: 'bytes=1000-' } }),
  },
  RECORDING_OFF: {
    statuses: [409],
    ask: async ({ api }) => {
      const config = { experience: { settings: { recording: { enabled: false } } } };
      const call = await newCall(api, { agent_id: await newAgent(api, { name: 'Discreet', config }) });
      return askAsCarrier(api, {
        path: `/api/carrier/calls/${call}/recording`,
        secret: callToken(KEYS, { callId: call, ticket: AGENT_TICKET }, api.clock.now()),
        method: 'PUT',
        audio: 'RIFF',
      });
    },
  },
  CALL_OVER: {
    statuses: [410],
    ask: ({ api, callId }) =>
      askAsCarrier(api, {
        path: `/api/carrier/calls/${callId}`,
        secret: callToken(KEYS, { callId, ticket: AGENT_TICKET }, api.clock.now()),
      }),
  },
  CALL_TAKEN: {
    statuses: [409],
    ask: async ({ api, agentId }) => {
      const callId = await newCall(api, { agent_id: agentId, stage: 'requested', agent_ticket: 9e15 });
      const ticket = jobTicket(KEYS, callId, api.clock.now());
      const path = `/api/carrier/calls/${callId}/claim`;
      return askAsCarrier(api, { path, method: 'POST', json: { ticket, claim: 'c'.repeat(43) } });
    },
  },
  ACTION_LIMIT: {
    statuses: [409],
    ask: async ({ api, agentId }) => {
      const orders = { type: 'http_request', url: 'https://a.example/', headers: { Authorization: 'key' } };
      const sealing = new AgentSecrets({ secretsKeys: KEYS, organizationId: api.organization.id });
      const modify_agent = sealing.seal({ persona: { actions: { orders } } });
      const row = { stage: 'placed', modify_agent, action_requests: MAX_ACTION_REQUESTS };
      const callId = await newCall(api, { agent_id: agentId, ...row });
      return askAsCarrier(api, {
        path: `/api/carrier/calls/${callId}/action-secrets`,
        secret: callToken(KEYS, { callId, ticket: AGENT_TICKET }, api.clock.now()),
        method: 'POST',
        json: { action: 'orders' },
      });
    },
  },
  FILE_NOT_FOUND: {
    statuses: [404],
    ask: async (bench) => {
      const { id } = await bench.campaign();
      await bench.api.db('campaigns').where({ id }).update({ contact_file_key: 'gone.csv' });
      return bench.api.ask(`/api/campaigns/${id}/file`);
    },
  },
  NOT_FOUND: { statuses: [404], ask: ({ api }) => api.ask('/api/nothing') },
  METHOD_NOT_ALLOWED: { statuses: [405], ask: ({ api }) => api.ask('/api/agents', { method: 'DELETE' }) },
  VALIDATION_ERROR: {
    statuses: [422],
    ask: async (bench) => [
      await bench.create({ concurrency: '0' }),
      await bench.create({ start_time: '25:00' }),
      await bench.create({ days_of_week: 'someday' }),
      await bench.api.ask('/api/agent/7'),
      await bench.api.ask('/api/call_details/'),
      await bench.call({ contact_number: '+14155550123' }),
    ],
  },
  INVALID_TIME_WINDOW: refusedForm(400, { start_time: '10:00', end_time: '09:00' }),
  CONCURRENCY_EXCEEDED: refusedForm(400, { concurrency: '11' }),
  INVALID_DATE_RANGE: refusedForm(400, { from_date: '2026-10-01', to_date: '2026-11-01' }),
  NO_DAYS_SELECTED: refusedForm(400, { days_of_week: ',' }),
  INVALID_RETRY_CONFIG: refusedForm(400, { max_retries: '11' }),
  TOO_MANY_EMAILS: refusedForm(400, { notification_emails: 'a@b.co,b@b.co,c@b.co,d@b.co,e@b.co,f@b.co' }),
  INVALID_CONTACT_FILE: refusedFile('name,phone\nAsha,12\n'),
  NO_CONTACTS: refusedFile('name,phone\n'),
  TOO_MANY_CONTACTS: refusedFile(rows(10_001)),
  FILE_TOO_LARGE: {
    statuses: [413],
    ask: (bench) => bench.create({}, { file: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') }),
  },
  PAYLOAD_TOO_LARGE: {
    statuses: [413],
    ask: (bench) => bench.call({ metadata: { long: 'x'.repeat(1024 * 1024) } }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    statuses: [415],
    ask: ({ api }) =>
      api.ask('/api/create-agent', { body: 'a=b', headers: { 'Content-Type': 'text/plain' } }),
  },
  NO_FIELDS_TO_UPDATE: {
    statuses: [400],
    ask: async (bench) => {
      const { id } = await bench.campaign();
      return [await bench.update(id, {}), await bench.update(id, { colour: 'blue' })];
    },
  },
  CAMPAIGN_NOT_EDITABLE: {
    statuses: [409],
    ask: async (bench) => {
      const [completed, cancelled] = [await ended(bench, 'completed'), await ended(bench, 'cancelled')];
      return [
        await bench.update(completed, { campaign_name: 'B' }),
        await bench.update(cancelled, { campaign_name: 'B' }),
        await post(bench.api, `/api/campaigns/${completed}/pause`),
        await post(bench.api, `/api/campaigns/${cancelled}/pause`),
        await post(bench.api, `/api/campaigns/${completed}/cancel`),
        await bench.api.ask(`/api/campaigns/${completed}/forecast`),
      ];
    },
  },
  CAMPAIGN_NOT_PAUSED: {
    statuses: [409],
    ask: async (bench) => post(bench.api, `/api/campaigns/${(await bench.campaign()).id}/resume`),
  },
  NUMBER_IN_USE: {
    statuses: [409],
    ask: async (bench) => {
      await newAgent(bench.api, { config: AGENT_CONFIG });
      const json = { agent_display_name: 'Other', config: AGENT_CONFIG };
      return [
        await bench.api.ask('/api/create-agent', { json }),
        await bench.patch('deployment', AGENT_CONFIG),
      ];
    },
  },
  NUMBER_NOT_YOURS: {
    statuses: [422],
    ask: async (bench) => {
      const { api } = bench;
      const numbers = ['+912250001234'];
      await api.db.transaction((trx) =>
        registerNumbers(trx, { organizationId: api.stranger.id, numbers }, api.clock.time),
      );
      const deployment = { phone: { call_type: { Outbound: numbers } } };
      return [
        await api.ask('/api/create-agent', { json: { agent_display_name: 'A', config: { deployment } } }),
        await bench.patch('deployment', { deployment }),
      ];
    },
  },
  OUTBOUND_NUMBER_NOT_ALLOWED: {
    statuses: [422],
    ask: async (bench) => {
      const config = { deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } } };
      const agent_id = await newAgent(bench.api, { name: 'With numbers', config });
      return bench.call({ agent_id, outbound_number: '+918012345679' });
    },
  },
  SPEND_LIMIT_REACHED: {
    statuses: [402],
    ask: async ({ api }) => {
      const as = await api.newOrganization();
      await api.db('organizations').where({ id: as.id }).update({ spend_per_day: 1 });
      const day = new Date(api.clock.time).toISOString().slice(0, 10);
      await api.db('spend').insert({ owner_id: as.id, day, credits: 1 });
      const json = { agent_id: await newAgent(api, { as }), contact_number: '+919876543210', name: 'A' };
      return api.ask('/api/trigger-call/', { as, json });
    },
  },
  REALTIME_NOT_CONFIGURED: {
    statuses: [503],
    ask: async (_bench, plain) =>
      plain.ask('/api/trigger-call/', { json: { agent_id: await newAgent(plain), medium: 'webrtc' } }),
  },
  SERVICE_UNAVAILABLE: {
    statuses: [503],
    ask: async (bench) => {
      bench.api.temporal.unreachable = true;
      const answers = [await bench.call(), await bench.create()];
      bench.api.temporal.unreachable = false;
      expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5']);
      return answers;
    },
  },
  INTERNAL_ERROR: {
    statuses: [500],
    ask: async (_bench, plain) => {
      await plain.db.schema.renameTable('agent_versions', 'hidden');
      const answer = await plain.ask('/api/create-agent', { json: { agent_display_name: 'A' } });
      await plain.db.schema.renameTable('hidden', 'agent_versions');
      expect(answer.text).not.toContain('agent_versions');
      return answer;
    },
  },
  RATE_LIMITED: {
    statuses: [429],
    ask: async ({ api }) => {
      const limited = await api.newOrganization();
      await api
        .db('organizations')
        .where({ id: limited.id })
        .update({ dispatch_per_minute: 1, other_per_minute: 1 });
      await api.ask('/api/agents', { as: limited });
      const other = await api.ask('/api/agents', { as: limited });
      const dispatch = () =>
        api.ask('/api/trigger-call/', { as: limited, json: { ...PHONE_CALL, agent_id: NONE } });
      await dispatch();
      const answers = [other, await dispatch()];
      for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      return answers;
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    statuses: [422],
    ask: async (bench) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      await bench.call({}, headers);
      return bench.call({ name: 'Ravi' }, headers);
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    statuses: [409],
    ask: async (bench) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const { temporal } = bench.api;
      let second: Answer | undefined;
      temporal.beforeAnswer = async () => {
        temporal.beforeAnswer = () => Promise.resolve();
        second = await bench.call({}, headers);
      };
      await bench.call({}, headers);
      if (second === undefined) throw new Error('the first request did not reach Temporal');
      return second;
    },
  },
  INVALID_SIGNATURE: {
    statuses: [401],
    ask: ({ api, callId }) => api.ask(`/api/transcript/${callId}?expires=1&signature=00`, { as: null }),
  },
  NOT_AUTHORISED: {
    statuses: [401],
    ask: ({ api }) => askAsCarrier(api, { path: CARRIER_EVENTS_PATH, secret: 'wrong', method: 'POST' }),
  },
};
