/** Fills every free text of one organization with another organization's marks. */
import { FINAL_STATUSES } from '../../../domain/call-outcome';
import type { Estate } from './estate';
import { campaignForm, newCall, say, withFile } from './rows';
import type { TestApi } from './test-api';

/** Words that could make a row look like the estate's: its ids in each spelling, its name, and the statuses. */
export function marksOf(estate: Estate): string[] {
  const { owner, agents, campaigns, calls, deliveries, marks } = estate;
  const ids = {
    organization: owner.id,
    agent: agents.running,
    campaign: campaigns.active,
    call: calls.ofCampaign,
    delivery: deliveries.failed,
  };
  const spelled = Object.entries(ids).flatMap(([kind, id]) => {
    const bare = id.replaceAll('-', '');
    return [id, bare, kind + id, kind + bare];
  });
  const statuses = FINAL_STATUSES.map((status) => `status${status.replaceAll(' ', '').toLowerCase()}`);
  return [...spelled, ...statuses, marks.name];
}

/** A word that occurs in everything planted for the estate and nowhere else. */
export const secretOf = ({ marks }: Estate): string => `${marks.name.toLowerCase()}secret`;

/** Writes everything that the owner and its callers can write, and puts the marks of `foreign` into each text. */
export async function plantMarks(api: TestApi, estate: Estate, foreign: Estate): Promise<void> {
  const marks = marksOf(foreign);
  const secret = secretOf(estate);
  const all = [secret, ...marks].join(' ');
  const { owner } = estate;
  const send = async (method: string, path: string, json: unknown): Promise<any> => {
    const { status, text, body } = await api.ask(path, { as: owner, method, json });
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return body;
  };
  for (const mark of marks) {
    await send('POST', '/api/create-agent', { agent_display_name: `${mark} ${secret}` });
    await send('POST', '/api/keys', { name: `${mark} ${secret}`.slice(0, 100), scopes: ['read'] }).catch(
      () => {},
    );
  }
  const identity = { system_prompt: all, greeting_message: { agent_message: all } };
  const { agent_id: agentId } = await send('POST', '/api/create-agent', {
    agent_display_name: secret,
    config: { persona: { identity }, training: { know_how: { faq: { [secret]: all } } } },
  });
  const turns = [{ expect: { contains: [secret] } }, { user: all.slice(0, 900) }];
  await send('PUT', `/api/agent/${agentId}/conversations`, { conversations: [{ title: secret, turns }] });
  const rows = marks.map((mark, n) => `${mark} ${secret},+9170000${String(n).padStart(5, '0')},${all}`);
  const form = campaignForm(agentId, {
    campaign_name: `${secret} ${marks.join(' ')}`.slice(0, 200),
    per_call_webhook_url: `https://${secret}.example.test/${foreign.owner.id}?client${foreign.owner.id}`,
    campaign_webhook_url: `https://${secret}.example.test/client${foreign.owner.id}`,
    notification_emails: `client${foreign.owner.id}@${secret}.example.test`,
  });
  const file = `name,phone_number,client${foreign.owner.id}\n${rows.join('\n')}\n`;
  const launched = await api.ask('/api/campaigns/create', { as: owner, body: withFile(form, file) });
  if (launched.status !== 201) throw new Error(launched.text);
  await send('POST', '/api/trigger-call/', {
    agent_id: agentId,
    contact_number: '+917100000000',
    name: `client${foreign.owner.id} ${secret}`,
    metadata: { [`client${foreign.owner.id}`]: all },
  });
  await send('POST', '/api/do-not-disturb', { phone_number: '+917200000000', source: all.slice(0, 200) });
  await send('PUT', `/api/rule-profiles/${secret}`, { hours: {}, disclosure: all.slice(0, 1_000) });
  await plantCalls(api, estate, { agentId, campaignId: launched.body.id, all, marks });
}

/** Inserts calls whose texts contain the marks, as the engine and the analysis would write them. */
async function plantCalls(
  api: TestApi,
  { owner, marks: { name, firstNumber } }: Estate,
  { agentId, campaignId, all, marks }: { agentId: string; campaignId: string; all: string; marks: string[] },
): Promise<void> {
  const at = new Date(api.clock.time);
  for (const call_status of ['completed', 'User disconnected']) {
    const callId = await newCall(api, {
      organization_id: owner.id,
      agent_id: agentId,
      campaign_id: campaignId,
      name: all,
      to_number: `+91${firstNumber}`,
      metadata: { note: all },
      stage: 'over',
      call_status,
      end_reason: 'agent',
      ended_at: at,
      summary: all,
      entity: { note: all },
      eval_tag: all,
      conversation_eval: { note: all },
      tags: marks,
      outcome: all,
      post_processing_status: 'completed',
    });
    await say(api, callId, [
      ['agent', `${name} ${all}`],
      ['user', all],
    ]);
    await api.db('calls').where({ call_id: callId }).update({ concluded_at: at });
    await api.db('webhook_deliveries').insert({
      id: api.db.raw('gen_random_uuid()'),
      event_id: api.db.raw('gen_random_uuid()'),
      organization_id: owner.id,
      campaign_id: campaignId,
      call_id: callId,
      event: 'call.completed',
      url: `https://example.test/${all.slice(0, 1000)}`,
      body: JSON.stringify({ note: all }),
      status: 'failed',
      created_at: at,
    });
  }
}
