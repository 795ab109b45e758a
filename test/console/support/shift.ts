/** Creates test data: an active campaign, a contact list, two calls that ended in different ways, a ringing call, and failed webhook deliveries. */
import { randomUUID } from 'node:crypto';
import { campaignForm, newAgent, newCall, withFile } from '../../api/support/rows';
import type { TestApi } from '../../api/support/test-api';
import { stereoWav } from './stereo-wav';

const DAY_MS = 86_400_000;

export interface Shift {
  agentId: string;
  campaignId: string;
  /** Contact list with two contacts. */
  listId: string;
  calls: { refund: string; unanswered: string; ringing: string };
  /** Failed deliveries: for this morning's first call, from yesterday, and from four days ago. */
  deliveries: { today: string; yesterday: string; earlier: string };
}

const PEOPLE = [
  'Asha Rao',
  'Ravi Kumar',
  'Meera Nair',
  'Imran Sheikh',
  'Lakshmi Iyer',
  'Dev Patel',
  'Sana Khan',
];
const SAID: [speaker: 'agent' | 'user', text: string][] = [
  ['agent', 'Hello Asha Rao, this is the clinic in Pune. Is this a good moment?'],
  ['user', 'Yes. But first I want a refund for the last visit.'],
  ['agent', 'I note that you ask for a refund. A colleague calls you about it.'],
  ['user', 'Thank you. Friday morning suits me for the check-up.'],
  ['agent', 'Friday it is. Goodbye!'],
];

export async function newShift(api: TestApi): Promise<Shift> {
  const config = {
    persona: {
      identity: { system_prompt: 'You remind patients.', greeting_message: { agent_message: 'Hello.' } },
    },
  };
  const agentId = await newAgent(api, { name: 'Check-up reminder', config });
  const rows = PEOPLE.map((name, index) => `${name},+9198765432${10 + index},Pune`);
  const form = campaignForm(agentId, {
    campaign_name: 'November check-ups',
    campaign_webhook_url: 'https://clinic.example.test/campaign',
    per_call_webhook_url: 'https://clinic.example.test/calls',
  });
  const file = `name,phone_number,city\n${rows.join('\n')}\n`;
  const created = await api.ask('/api/campaigns/create', { body: withFile(form, file) });
  if (created.status !== 201) throw new Error(created.text);
  const campaignId = created.body.id as string;
  const calls = await callsOf(api, { agentId, campaignId });
  return {
    agentId,
    campaignId,
    listId: await newList(api),
    calls,
    deliveries: {
      today: await failedDelivery(api, { campaign_id: campaignId, call_id: calls.refund }, 150_000),
      yesterday: await failedDelivery(api, {}, -DAY_MS),
      earlier: await failedDelivery(api, {}, -4 * DAY_MS),
    },
  };
}

async function newList(api: TestApi): Promise<string> {
  const list = await api.ask('/api/contact-lists', { json: { name: 'Patients' } });
  const contacts = [
    {
      external_id: 'p-1',
      name: 'Zoya Mirza',
      phone_number: '+919876543301',
      timezone: 'Asia/Kolkata',
      language: 'hi',
      consent_at: '2026-10-01',
      consent_source: 'web form',
      metadata: { city: 'Surat' },
    },
    { name: 'Kabir Bose', phone_number: '+919876543302' },
  ];
  const added = await api.ask(`/api/contact-lists/${list.body.id}/contacts`, { json: { contacts } });
  if (added.status !== 200) throw new Error(added.text);
  return list.body.id;
}

async function callsOf(api: TestApi, ids: { agentId: string; campaignId: string }): Promise<Shift['calls']> {
  const at = (ms: number): Date => new Date(api.clock.time + ms);
  const ofRow = async (row: number) => {
    const {
      id,
      name,
      phone_number: number,
    } = await api.db('contacts').where({ campaign_id: ids.campaignId, row_number: row }).first();
    return {
      agent_id: ids.agentId,
      campaign_id: ids.campaignId,
      contact_id: id,
      attempt: 1,
      name,
      to_number: number,
    };
  };
  const dialled = { requested_at: at(0), dialing_at: at(500), ringing_at: at(1500) };
  const refund = await newCall(api, {
    ...(await ofRow(2)),
    ...dialled,
    stage: 'over',
    call_status: 'completed',
    end_reason: 'agent',
    post_processing_status: 'completed',
    answered_at: at(6000),
    ended_at: at(16_000),
    concluded_at: at(17_000),
    duration_ms: 10_000,
    call_cost: 1,
    metadata: { city: 'Pune', name: 'Asha Rao' },
    summary: 'Asks for a refund of the last visit. The check-up suits her on Friday morning.',
    entity: { day: 'Friday', wants_refund: true },
    eval_tag: 'appointment',
    conversation_eval: { score: 82, reason: 'Polite, and the day was agreed.' },
    conversation_quality: { score: 82, sentiment: 'neutral', avg_response_ms: 640 },
  });
  await api.db('call_segments').insert(
    SAID.map(([speaker, text], index) => ({
      call_id: refund,
      speaker,
      text,
      start_ms: index * 2000,
      end_ms: index * 2000 + 1800,
    })),
  );
  await storeRecording(api, refund);
  const unanswered = await newCall(api, {
    ...(await ofRow(3)),
    ...dialled,
    accepted_at: at(-60_000),
    stage: 'over',
    call_status: 'no answer',
    end_reason: 'carrier',
    ended_at: at(30_000),
    concluded_at: at(30_000),
    metadata: { name: 'Ravi Kumar' },
  });
  const ringing = await newCall(api, {
    ...(await ofRow(4)),
    ...dialled,
    accepted_at: at(20_000),
    stage: 'placed',
    call_status: 'ringing',
    carrier_id: 'c-ringing',
    metadata: { name: 'Meera Nair' },
  });
  const state = (row: number, changes: object) =>
    api.db('contacts').where({ campaign_id: ids.campaignId, row_number: row }).update(changes);
  await state(2, { state: 'completed', attempts: 1, call_id: refund });
  await state(3, { attempts: 1, next_attempt_at: at(1_800_000) });
  await state(4, { state: 'in_progress', attempts: 1, call_id: ringing });
  await state(5, { state: 'dnd', reason: 'on the do-not-disturb list of the organization' });
  await api
    .db('campaigns')
    .where({ id: ids.campaignId })
    .update({ in_progress_contacts: 1, completed_contacts: 1, failed_contacts: 1 });
  return { refund, unanswered, ringing };
}

async function storeRecording(api: TestApi, callId: string): Promise<void> {
  const audio = stereoWav(10);
  const storage_key = `recordings/${callId}.wav`;
  await api.storage.put(storage_key, audio);
  await api.db('recordings').insert({
    call_id: callId,
    storage_key,
    content_type: 'audio/wav',
    bytes: audio.length,
    stored_at: new Date(api.clock.time),
  });
}

async function failedDelivery(api: TestApi, of: object, afterMs: number): Promise<string> {
  const id = randomUUID();
  const at = new Date(api.clock.time + afterMs);
  await api.db('webhook_deliveries').insert({
    id,
    event_id: randomUUID(),
    organization_id: api.organization.id,
    ...of,
    event: 'call.completed',
    url: 'https://clinic.example.test/calls',
    body: '{"event":"call.completed","contact":{"name":"Asha Rao"}}',
    status: 'failed',
    created_at: at,
  });
  await api
    .db('webhook_attempts')
    .insert({ delivery_id: id, attempt: 5, at, status_code: 503, duration_ms: 120 });
  return id;
}
