/** Forecasts the rest of a campaign from its remaining contacts. */
import { campaignForm, newAgent, newCall, withFile } from './support/rows';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type TestApi } from './support/test-api';

const HOUR_MS = 3_600_000;

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

async function campaign(people: number, changes: Record<string, string> = {}): Promise<string> {
  const rows = Array.from({ length: people }, (_, n) => `Person ${n},98765${String(n).padStart(5, '0')}`);
  const file = `name,phone_number\n${rows.join('\n')}\n`;
  const body = withFile(
    campaignForm(agentId, { max_retries: '2', retry_delay_mins: '30', ...changes }),
    file,
  );
  const answer = await api.ask('/api/campaigns/create', { body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const forecast = (id: string) => api.ask(`/api/campaigns/${id}/forecast`);
const contacts = (id: string) => api.db('contacts').where({ campaign_id: id });

test("returns the same as a simulation of the file if the campaign hasn't started", async () => {
  const id = await campaign(4, { perform_dnd_check: 'false' });
  const form = campaignForm(agentId, { max_retries: '2', retry_delay_mins: '30' });
  const file = `name,phone_number\n${[0, 1, 2, 3].map((n) => `Person ${n},987650000${n}`).join('\n')}\n`;
  const { body } = await api.ask('/api/campaigns/simulate', { body: withFile(form, file) });
  expect(await forecast(id)).toMatchObject({ status: 200, body });
});

test('counts only remaining contacts, and writes nothing', async () => {
  const id = await campaign(6);
  await contacts(id).where('row_number', '<=', 4).update({ state: 'completed' });
  const before = await tableHashes(api.db);
  const { body } = await forecast(id);
  expect(body.contacts.total).toBe(3);
  expect(body.status).toBe('completed');
  expect(await tableHashes(api.db)).toEqual(before);
});

test('schedules a redial no earlier than its due time, and counts past attempts', async () => {
  const id = await campaign(2);
  const due = new Date(api.clock.time + 2 * HOUR_MS);
  await contacts(id).update({ attempts: 1, next_attempt_at: due });
  const { body } = await forecast(id);
  expect(body.total_calls).toBe(2);
  expect(body.calls_per_hour.map(({ from }: any) => from)).toEqual([due.toISOString()]);
});

test('derives answer rate and talk time from finished calls', async () => {
  const id = await campaign(30);
  const at = (ms: number) => new Date(api.clock.time + ms);
  for (let n = 0; n < 20; n += 1) {
    const talk = n < 5 ? { answered_at: at(5_000), duration_ms: 90_000 } : {};
    await newCall(api, {
      agent_id: agentId,
      campaign_id: id,
      stage: 'over',
      call_status: n < 5 ? 'completed' : 'no answer',
      dialing_at: at(0),
      ended_at: at(100_000),
      concluded_at: at(100_000),
      ...talk,
    });
  }
  const { body } = await forecast(id);
  expect(body.assumptions).toMatchObject({
    assumed_answer_rate: 0.25,
    assumed_redial_answer_rate: 0.25,
    assumed_talk_seconds: 90,
  });
});

test('forecasts a paused campaign as if it continued, and rejects an ended one', async () => {
  const id = await campaign(2);
  await api.ask(`/api/campaigns/${id}/pause`, { method: 'POST' });
  expect((await forecast(id)).body.finishes_at).not.toBeNull();
  await api.ask(`/api/campaigns/${id}/cancel`, { method: 'POST' });
  expect((await forecast(id)).body.detail.code).toBe('CAMPAIGN_NOT_EDITABLE');
});
