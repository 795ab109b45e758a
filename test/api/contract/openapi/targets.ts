/**
 * Creates the rows that the example requests name, in a path or by the slug `check-up-reminder` in a body.
 */
import { randomUUID } from 'node:crypto';
import { issueApiKey } from '../../../../db/organizations/api-keys';
import { openSession } from '../../../../db/organizations/console-tokens';
import { newAgent } from '../../support/rows';
import { finishedCall, type Bench } from '../bench';

/** Ids by the name of a path parameter. */
export type Targets = Readonly<Record<string, string>>;

const SLUG = 'check-up-reminder';

/** Creates new rows for each request, so that examples don't depend on each other. A path without parameters needs only the agent. */
export async function makeTargets(bench: Bench, path: string): Promise<Targets> {
  const { api } = bench;
  const agent_id = await reminder(bench);
  // The API rejects a rotation if the organization already has two valid secrets.
  await api
    .db('signing_secrets')
    .where({ organization_id: api.organization.id })
    .update({ expires_at: new Date(api.clock.time) });
  if (!path.includes('{')) return { agent_id };
  const { id: campaign_id } = await bench.campaign({ campaign_webhook_url: 'https://example.com/hook' });
  const call_id = await finishedCall(api, agent_id);
  const delivery_id = randomUUID();
  await api.db('webhook_deliveries').insert({
    id: delivery_id,
    organization_id: api.organization.id,
    event_id: randomUUID(),
    campaign_id,
    call_id,
    event: 'call.completed',
    url: 'https://example.com/hook',
    body: '{}',
    status: 'failed',
    created_at: new Date(api.clock.time),
  });
  await api.db('webhook_attempts').insert({
    delivery_id,
    attempt: 1,
    at: new Date(api.clock.time),
    status_code: 500,
    duration_ms: 12,
    error: 'status 500',
  });
  const key_id = await spareKey(bench);
  const session = await openSession(api.db, key_id, api.clock.time);
  const name = 'my-rules';
  await api.ask(`/api/rule-profiles/${name}`, { method: 'PUT', json: { hours: {} } });
  return { agent_id, campaign_id, call_id, delivery_id, key_id, session_id: session.id, name };
}

/** Revokes the earlier keys, because an organization can have at most a hundred. */
async function spareKey({ api }: Bench): Promise<string> {
  const label = 'Spare';
  await api
    .db('api_keys')
    .where({ label })
    .update({ revoked_at: new Date(api.clock.time) });
  return (await issueApiKey(api.db, api.organization.id, { label, scopes: ['read'] })).id;
}

/** Renames the earlier agent first, because an agent keeps its slug forever. */
async function reminder({ api }: Bench): Promise<string> {
  await api
    .db('agents')
    .where({ agent_name: SLUG })
    .update({ agent_name: `before-${randomUUID()}` });
  const id = await newAgent(api, { name: 'Check-up reminder' });
  const { agent_name } = await api.db('agents').where({ id }).first();
  expect(agent_name).toBe(SLUG);
  return id;
}
