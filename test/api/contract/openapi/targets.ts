/** What the examples' requests are about: named in a path, or in a body by the slug `check-up-reminder`. */
import { randomUUID } from 'node:crypto';
import { issueApiKey } from '../../../../db/clients/api-keys';
import { openSession } from '../../../../db/clients/console-tokens';
import { newAgent } from '../../support/rows';
import { finishedCall, type Bench } from '../bench';

/** By the name of a path's parameter. */
export type Targets = Readonly<Record<string, string>>;

const SLUG = 'check-up-reminder';

/** Fresh ones, so that no example depends on another. */
export async function makeTargets(bench: Bench): Promise<Targets> {
  const { api } = bench;
  const agent_id = await reminder(bench);
  const { id: campaign_id } = await bench.campaign({ campaign_webhook_url: 'https://example.com/hook' });
  const call_id = await finishedCall(api, agent_id);
  const delivery_id = randomUUID();
  await api.db('webhook_deliveries').insert({
    id: delivery_id,
    client_id: api.client.id,
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
  // Else a rotation finds two of them.
  await api
    .db('signing_secrets')
    .where({ client_id: api.client.id })
    .update({ expires_at: new Date(api.clock.time) });
  const session = await openSession(api.db, key_id, api.clock.time);
  return { agent_id, campaign_id, call_id, delivery_id, key_id, session_id: session.id };
}

/** Those before are revoked: an organisation may have a hundred. */
async function spareKey({ api }: Bench): Promise<string> {
  const label = 'Spare';
  await api
    .db('api_keys')
    .where({ label })
    .update({ revoked_at: new Date(api.clock.time) });
  return (await issueApiKey(api.db, api.client.id, { label, scopes: ['read'] })).id;
}

/** An agent has its slug for good: the one before is put out of the way. */
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
