/** An organization with one of everything that it can own, in every state that changes a response. */
import { randomUUID } from 'node:crypto';
import { campaignForm, newAgent, newCall, record, say, withFile } from './rows';
import { addDndNumbers } from '../../../db/calls/do-not-disturb';
import { issueApiKey } from '../../../db/organizations/api-keys';
import { openSession } from '../../../db/organizations/console-tokens';
import { issueSigningSecret } from '../../../db/webhooks/signing-secrets';
import type { TestApi, TestOrganization } from './test-api';

/** Words that occur in everything the organization owns and nowhere else. */
export interface Marks {
  /** A word of letters, used as the name of its people, agents and campaigns. */
  name: string;
  /** Ten digits ending in 00; the numbers of its people start here. */
  firstNumber: string;
}

export interface Estate {
  owner: TestOrganization;
  marks: Marks;
  agents: { running: string; other: string; archived: string };
  slugs: { running: string; archived: string };
  campaigns: { active: string; paused: string; completed: string; cancelled: string };
  calls: { ofCampaign: string; dispatched: string; live: string; browser: string };
  deliveries: { pending: string; delivered: string; failed: string };
  /** A key that isn't used to authenticate. */
  keys: { spare: string };
  /** A session whose key isn't part of any path. */
  sessions: { open: string };
  /** Names of rule profiles. */
  profiles: { own: string };
  /** Ids of its rows that aren't part of any path. */
  further: { organization: string; event: string; secret: string };
  /** Paths with their signed query. */
  signed: { file: string; transcript: string; recording: string };
}

export async function newEstate(api: TestApi, owner: TestOrganization, marks: Marks): Promise<Estate> {
  const agents = {
    running: await newAgent(api, { as: owner, name: `${marks.name} one`, config: configOf(marks) }),
    other: await newAgent(api, { as: owner, name: `${marks.name} two` }),
    archived: await newAgent(api, { as: owner, name: `${marks.name} three` }),
  };
  await must(api, owner, 'DELETE', `/api/agent/${agents.archived}`);
  const campaigns = {
    active: await launch(api, owner, marks, agents.running),
    paused: await launch(api, owner, marks, agents.running),
    completed: await launch(api, owner, marks, agents.other),
    cancelled: await launch(api, owner, marks, agents.other),
  };
  await must(api, owner, 'POST', `/api/campaigns/${campaigns.paused}/pause`);
  await must(api, owner, 'POST', `/api/campaigns/${campaigns.cancelled}/cancel`);
  const ended = new Date(api.clock.time);
  await api
    .db('campaigns')
    .where({ id: campaigns.completed })
    .update({ status: 'completed', ended_at: ended });
  const calls = await callsOf(api, owner, marks, { agentId: agents.running, campaignId: campaigns.active });
  const { deliveries, event } = await deliveriesOf(api, owner, marks, {
    campaignId: campaigns.active,
    callId: calls.ofCampaign,
  });
  const slug = marks.name.toLowerCase();
  const profile = `${slug}-rules`;
  const rules = { hours: {}, disclosure: `${marks.name} records this call` };
  await must(api, owner, 'PUT', `/api/rule-profiles/${profile}`, rules);
  const spare = await issueApiKey(api.db, owner.id, { label: marks.name, scopes: ['read'] });
  // The session belongs to another key, because requests that name the spare key end its sessions.
  const signedIn = await issueApiKey(api.db, owner.id, { label: marks.name, scopes: ['read'] });
  const session = await openSession(api.db, signedIn.id, api.clock.time);
  const secret = await issueSigningSecret(api.db, owner.id, api.secretsKeys);
  await addDndNumbers(api.db, {
    organizationId: owner.id,
    numbers: [`+91${Number(marks.firstNumber) + 99}`],
    source: marks.name,
    now: api.clock.time,
  });
  return {
    owner,
    marks,
    agents,
    slugs: { running: `${slug}-one`, archived: `${slug}-three` },
    campaigns,
    calls,
    deliveries,
    keys: { spare: spare.id },
    sessions: { open: session.id },
    profiles: { own: profile },
    further: { organization: owner.id, event, secret: secret.id },
    signed: await signedPaths(api, owner, campaigns.active, calls.ofCampaign),
  };
}

/** Every id of the estate by kind and name. */
export function idsOf(estate: Estate): Record<string, string> {
  const groups = {
    agent: estate.agents,
    slug: estate.slugs,
    campaign: estate.campaigns,
    call: estate.calls,
    delivery: estate.deliveries,
    key: estate.keys,
    session: estate.sessions,
    profile: estate.profiles,
    further: estate.further,
  };
  return Object.fromEntries(
    Object.entries(groups).flatMap(([kind, ids]) =>
      Object.entries<string>(ids).map(([name, id]) => [`${kind} ${name}`, id]),
    ),
  );
}

const configOf = ({ name }: Marks) => ({
  persona: {
    identity: {
      system_prompt: `You speak for ${name}.`,
      greeting_message: { agent_message: `${name} greets {{name}}` },
    },
  },
});

async function launch(api: TestApi, owner: TestOrganization, marks: Marks, agentId: string): Promise<string> {
  const { name, firstNumber } = marks;
  const rows = [0, 1, 2].map((n) => `${name} ${n},+91${Number(firstNumber) + n},${name}pur`);
  const form = campaignForm(agentId, {
    campaign_name: `${name} campaign`,
    per_call_webhook_url: `https://${name.toLowerCase()}.example.test/calls`,
    campaign_webhook_url: `https://${name.toLowerCase()}.example.test/campaign`,
    notification_emails: `${name.toLowerCase()}@example.test`,
  });
  const file = `name,phone_number,city\n${rows.join('\n')}\n`;
  const answer = await api.ask('/api/campaigns/create', { as: owner, body: withFile(form, file) });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
}

async function callsOf(
  api: TestApi,
  owner: TestOrganization,
  { name, firstNumber }: Marks,
  { agentId, campaignId }: { agentId: string; campaignId: string },
): Promise<Estate['calls']> {
  const at = (ms: number) => new Date(api.clock.time + ms);
  const row = { organization_id: owner.id, agent_id: agentId, name, to_number: `+91${firstNumber}` };
  const contact = await api.db('contacts').where({ campaign_id: campaignId, row_number: 2 }).first('id');
  const ofCampaign = await newCall(api, {
    ...row,
    campaign_id: campaignId,
    contact_id: contact.id,
    attempt: 1,
    metadata: { city: `${name}pur` },
    stage: 'over',
    call_status: 'completed',
    post_processing_status: 'completed',
    answered_at: at(3000),
    ended_at: at(63_000),
    concluded_at: at(64_000),
    duration_ms: 60_000,
    summary: `${name} pays on Friday`,
    entity: { who: name },
    eval_tag: 'promise',
    conversation_eval: { goal_met: true },
    conversation_quality: { score: 8 },
  });
  await say(api, ofCampaign, [
    ['agent', `Is this ${name}?`],
    ['user', `${name} speaking`],
  ]);
  await record(api, ofCampaign, `${name} says hello`);
  const live = await newCall(api, {
    ...row,
    stage: 'placed',
    call_status: 'ringing',
    carrier_id: `c-${name}`,
  });
  const browser = await newCall(api, {
    ...row,
    call_id: `room_${randomUUID()}`,
    medium: 'webrtc',
    call_type: 'Inbound',
    direction: 'Incoming',
    from_number: 'web-user',
    stage: 'over',
    call_status: 'User disconnected',
    ended_at: at(1000),
    concluded_at: at(1000),
  });
  const dispatch = { agent_id: agentId, contact_number: `+91${firstNumber}`, name, metadata: { city: name } };
  const dispatched = await api.ask('/api/trigger-call/', { as: owner, json: dispatch });
  if (dispatched.status !== 200) throw new Error(dispatched.text);
  return { ofCampaign, dispatched: dispatched.body.output.call_id as string, live, browser };
}

async function deliveriesOf(
  api: TestApi,
  owner: TestOrganization,
  { name }: Marks,
  { campaignId, callId }: { campaignId: string; callId: string },
): Promise<{ deliveries: Estate['deliveries']; event: string }> {
  const deliveries = { pending: randomUUID(), delivered: randomUUID(), failed: randomUUID() };
  const event = randomUUID();
  await api.db('webhook_deliveries').insert(
    Object.entries(deliveries).map(([status, id]) => ({
      id,
      event_id: status === 'delivered' ? event : randomUUID(),
      organization_id: owner.id,
      campaign_id: campaignId,
      call_id: callId,
      event: 'call.completed',
      url: `https://${name.toLowerCase()}.example.test/calls`,
      body: JSON.stringify({ contact: { name } }),
      status,
      created_at: new Date(api.clock.time),
    })),
  );
  const at = new Date(api.clock.time);
  await api.db('webhook_attempts').insert([
    { delivery_id: deliveries.delivered, attempt: 1, at, status_code: 200, duration_ms: 12 },
    { delivery_id: deliveries.failed, attempt: 5, at, duration_ms: 5000, error: 'timed out' },
  ]);
  return { deliveries, event };
}

/** Takes the signed paths from responses, as an API client would. */
async function signedPaths(
  api: TestApi,
  owner: TestOrganization,
  campaignId: string,
  callId: string,
): Promise<Estate['signed']> {
  const campaign = await must(api, owner, 'GET', `/api/campaigns/${campaignId}`);
  const history = await must(api, owner, 'GET', '/api/call-history');
  const call = history.data.find((each: any) => each.call_id === callId);
  return {
    file: pathOf(campaign.excel_blob_url),
    transcript: pathOf(call.call_transcription),
    recording: pathOf(call.recording_api),
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function must(
  api: TestApi,
  as: TestOrganization,
  method: string,
  path: string,
  json?: unknown,
): Promise<any> {
  const { status, text, body } = await api.ask(path, { as, method, json });
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return body;
}
